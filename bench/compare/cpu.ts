import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { overLimit } from './regression-gate.ts'
import { measureSides, watching } from './measure.ts'
import { measureCpu } from './rounds.ts'
import { startBench } from './bench-environment.ts'
import { formatRange, tableOf } from './table.ts'

/**
 * `npm run bench -- cpu`, nightly and before a release: CPU of a request as a multiple of bare, on 100,000 tickets seeded
 * here. Fails only if a request is over its limit twice, the second time with double rounds: other load may cause the first.
 */
const TICKETS = 100_000
const ROUNDS = 4

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const environment = await startBench({ directory, tickets: TICKETS })
const faults: string[] = []
try {
  const { result: rows, others } = await watching(environment, () =>
    measureSides(environment, ROUNDS),
  )
  console.log(tableOf(rows))
  const first = new Map(
    rows.flatMap(({ name, cpu: { ours } }) => (ours ? [[name, ours.ratio]] : [])),
  )
  const suspects = environment.cases.filter(({ name }) => overLimit(first).includes(name))
  if (suspects.length > 0) {
    console.log(`measured again: ${suspects.map(({ name }) => name).join('; ')}`)
    const found = await measureCpu(environment, suspects, 2 * ROUNDS)
    const second = new Map(
      [...found].flatMap(([name, { ours }]) => (ours ? [[name, ours.ratio]] : [])),
    )
    faults.push(
      ...overLimit(second).map((name) => `${name}: CPU ${formatRange(second.get(name))} × bare`),
    )
  }
  console.log(
    `others used ${Math.round(others * 100)} % of the machine, load average ${loadavg()[0]?.toFixed(1)}`,
  )
} finally {
  await environment.close()
  rmSync(directory, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'cpu: ok' : `cpu: FAILED, ${faults.length} over their limit`)
process.exitCode = faults.length === 0 ? 0 : 1
