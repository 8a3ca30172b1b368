import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { differences, toBaseline, type Baseline, type Counts } from './regression-gate.ts'
import { countSides } from './measure.ts'
import { startBench } from './bench-environment.ts'
import { countTableOf } from './table.ts'

/**
 * The gate of every merge: statements, buffers and bytes of a request on 100,000 tickets seeded here, against
 * bench/baseline.json. They don't depend on the machine; CPU does, and is measured by `bench -- cpu`. `--write` stores the
 * counts as the new baseline, in a commit that says why.
 */
const TICKETS = 100_000
const BASELINE = new URL('../baseline.json', import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const started = Date.now()
const environment = await startBench({ directory, tickets: TICKETS })
const faults: string[] = []
try {
  const counted = await countSides(environment)
  console.log(countTableOf(counted))
  const counts: Counts = new Map([...counted].map(([name, { ours }]) => [name, ours]))
  if (process.argv.includes('--write')) {
    writeFileSync(BASELINE, `${JSON.stringify(toBaseline(counts), null, 2)}\n`)
    console.log('written: bench/baseline.json')
  } else faults.push(...differences(counts, JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline))
} finally {
  await environment.close()
  rmSync(directory, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
const seconds = Math.round((Date.now() - started) / 1000)
console.log(
  faults.length === 0
    ? `short: ok, ${seconds} s`
    : `short: FAILED, ${faults.length} differ from the baseline`,
)
process.exitCode = faults.length === 0 ? 0 : 1
