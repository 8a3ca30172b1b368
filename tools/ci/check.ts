import { availableParallelism } from 'node:os'
import { checkComparison } from './comparison.ts'
import { runBeside, runStep, STATIC } from './run.ts'

/** Before every commit; tools/ci/ci.ts adds browser tests and drills. */
const found = await runBeside(STATIC, availableParallelism())
const isOk =
  found.every((done) => done.isOk) &&
  (await runStep({ name: 'test', command: ['vitest', 'run'] })).isOk &&
  checkComparison({ isComplete: false })
process.exit(isOk ? 0 : 1)
