import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dearer, grown, sentencesOf, toBaseline, type Baseline, type Costs } from './gate.ts'
import { measureSides, watching } from './measure.ts'
import { measureCpu } from './rounds.ts'
import { openScene } from './scene.ts'
import { tableOf } from './table.ts'

/**
 * The short form: 100,000 tickets seeded here, ours against the floor, and both against bench/baseline.json. `--write` makes
 * what is measured the baseline, in a commit that says why.
 */
const TICKETS = 100_000
const ROUNDS = 4
const BASELINE = new URL('../baseline.json', import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const started = Date.now()
const scene = await openScene({ directory, tickets: TICKETS })
const faults: string[] = []
try {
  const { result: rows, others } = await watching(scene, () => measureSides(scene, ROUNDS))
  console.log(tableOf(rows))
  const costs: Costs = new Map(
    rows.flatMap(({ name, count, cpu: { ours } }) =>
      ours ? [[name, { count: count.ours, ratio: ours.ratio }]] : [],
    ),
  )
  if (process.argv.includes('--write')) {
    writeFileSync(BASELINE, `${JSON.stringify(toBaseline(costs), null, 2)}\n`)
    console.log('written: bench/baseline.json')
  } else {
    const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline
    faults.push(...grown(costs, baseline), ...(await dearerTwice(costs, baseline)))
  }
  console.log(
    `others used ${Math.round(others * 100)} % of the machine, load average ${loadavg()[0]?.toFixed(1)}, ` +
      `${Math.round((Date.now() - started) / 1000)} s`,
  )
} finally {
  await scene.close()
  rmSync(directory, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'short: ok' : `short: FAILED, ${faults.length} over the baseline`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Measured again with twice the rounds: a neighbour's load is no growth. */
async function dearerTwice(costs: Costs, baseline: Baseline) {
  const ratios = new Map([...costs].map(([name, { ratio }]) => [name, ratio]))
  const suspects = dearer(ratios, baseline)
  if (suspects.length === 0) return []
  console.log(`measured again: ${sentencesOf(suspects, ratios, baseline).join('; ')}`)
  const again = scene.cases.filter(({ name }) => suspects.includes(name))
  const found = await measureCpu(scene, again, 2 * ROUNDS)
  const second = new Map(
    [...found].flatMap(([name, { ours }]) => (ours ? [[name, ours.ratio]] : [])),
  )
  return sentencesOf(dearer(second, baseline), second, baseline)
}
