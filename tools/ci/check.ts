import { availableParallelism } from 'node:os'
import { checkComparison } from './comparison.ts'
import { runBeside, runStep, STATIC } from './run.ts'

/** Before every commit; tools/ci/ci.ts adds browser tests and drills. With `--static`, no tests run. */
const found = await runBeside(STATIC, availableParallelism())
const isOk =
  found.every((done) => done.isOk) && (process.argv.includes('--static') || (await test()))
process.exit(isOk ? 0 : 1)

async function test() {
  const { isOk: arePassed } = await runStep({ name: 'test', command: ['vitest', 'run'] })
  return arePassed && checkComparison({ isComplete: false })
}
