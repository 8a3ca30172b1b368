import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

export type Plan = { text: string; buffers: number }

const FILE = 'plans'
const WAIT_MS = 10_000

/**
 * PostgreSQL itself writes down the plan of every statement it has run, with the buffers it touched: what is measured
 * is what the API really sent, the way it was really planned, not a copy of it.
 */
export const planSettings = (directory: string) => ({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: directory,
  log_filename: `${FILE}.log`,
  log_rotation_age: '0',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
})

/** Runs something and returns the plans of the statements that role `gatehouse_app` had run in the meantime. */
export async function plansOf(
  { directory, client }: { directory: string; client: pg.Client },
  run: () => Promise<unknown>,
): Promise<Plan[]> {
  const file = join(directory, `${FILE}.json`)
  const start = readFileSync(file).length
  await run()
  // The log is written behind our back, in order: once this has arrived, everything before it has.
  const mark = `mark ${crypto.randomUUID()}`
  await client.query(`select '${mark}'`)
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    // What stands behind the last line break is still being written.
    const lines = readFileSync(file).subarray(start).toString().split('\n').slice(0, -1)
    if (lines.some((line) => line.includes(mark))) return lines.flatMap(toPlan)
    if (Date.now() > deadline) throw new Error('PostgreSQL has written no plan')
    await setTimeout(10)
  }
}

function toPlan(line: string): Plan[] {
  if (!line.includes('plan:')) return []
  const entry = JSON.parse(line) as { user?: string; message: string }
  if (entry.user !== 'gatehouse_app') return []
  const explained = JSON.parse(entry.message.slice(entry.message.indexOf('{'))) as {
    'Query Text': string
    Plan: Record<string, number>
  }
  return [
    {
      text: explained['Query Text'],
      buffers:
        (explained.Plan['Shared Hit Blocks'] ?? 0) + (explained.Plan['Shared Read Blocks'] ?? 0),
    },
  ]
}
