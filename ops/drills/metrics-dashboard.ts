import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Prometheus, Sample } from './metrics-prometheus.ts'
import type { Result } from './kit/results.ts'

const DASHBOARD = new URL('../dashboard.json', import.meta.url)
/** Rates need several scrapes, and the queues are created after the first requests. */
const SERIES_TIMEOUT_MS = 45_000

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

/** Every query of the committed dashboard must return a series of numbers. */
export async function checkDashboard({ query }: Prometheus): Promise<Result[]> {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard
  const deadline = Date.now() + SERIES_TIMEOUT_MS
  const results: Result[] = []
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      let found = numbersOf(await query(expr))
      while (found.length === 0 && Date.now() < deadline) {
        await setTimeout(500)
        found = numbersOf(await query(expr))
      }
      results.push({
        title: `panel ${title}`,
        isRight: found.length > 0,
        figure: found.length > 0 ? `${found.length} series` : `no series: ${expr}`,
      })
    }
  return results
}

const numbersOf = (samples: Sample[]) =>
  samples.filter(({ value: [, text] }) => Number.isFinite(Number(text)))
