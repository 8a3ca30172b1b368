import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { freePorts } from '../stack/settings.ts'
import { changedPaths, rotationNumber } from './changed-paths.ts'
import { DRILLS } from './drills.ts'
import { ignoringEnv, planRun } from './plan.ts'
import { runBeside, runStep, STATIC, type Done } from './run.ts'
import { readTests, type Part, type Test } from './test-results.ts'

/**
 * Runs every check, or with a known base (CI_BASE, origin/main) those that the change can affect; the last line counts them. A
 * part without tests counts as one.
 */
const SLOWEST = 10

rmSync('.test', { recursive: true, force: true })
const plan = planRun({ changed: changedPaths(), rotation: rotationNumber() })
const { leftOut, drills, skipped } = plan
// CI: one retry per browser test, counted and reported.
const env = { CI: '1', ...process.env, ...(await freePorts()), ...ignoringEnv(plan) }
const parts: Done[] = []
/** Named again at the end: who reads only that part of the output learns what to mend. */
const failures: string[] = []
let passed = 0
let failed = 0

console.log(leftOut.length > 0 ? `left out: ${leftOut.join(', ')}` : 'every suite runs')
console.log(`drills: ${drills.join(', ')}`)
if (skipped.length > 0) console.log(`skipped, over the time budget: ${skipped.join(', ')}`)

// Starting the stack mostly waits for Keycloak, so it runs beside the static checks.
const stack = runStep(npm('stack', 'up'), env, { isAlone: false })
for (const done of await runBeside(STATIC, availableParallelism(), env)) count(done)
parts.push(await stack)
countTests(await runStep(npm('test'), env), ['unit'])
countTests(await runStep(npm('e2e'), env), ['browser', 'outages', 'identity'])
for (const name of drills.filter(usesStack)) count(await runDrill(name))
parts.push(await runStep(npm('stack', 'reset'), env))
count(await runStep(npm('spec', ...(leftOut.length > 0 ? ['--chosen'] : [])), env))
if (!leftOut.includes('bench')) count(await runStep(npm('bench', 'short'), env))
for (const name of drills.filter((one) => !usesStack(one))) count(await runDrill(name))

printTimes()
if (leftOut.length > 0) console.log(`\nNot run, out of this change's reach: ${leftOut.join(', ')}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function npm(script: string, ...args: string[]) {
  return {
    name: [script, ...args].join(' '),
    command: ['npm', 'run', '--silent', script, '--', ...args],
  }
}

function usesStack(name: string) {
  return DRILLS[name]?.usesStack ?? false
}

function runDrill(name: string) {
  return runStep(npm('drill', name, ...(DRILLS[name]?.args ?? [])), env)
}

function count(done: Done) {
  parts.push(done)
  if (done.isOk) passed++
  else fail(done.name)
}

/** A failure outside any test (set-up, import) counts as one. */
function countTests(done: Done, names: Part[]) {
  parts.push(done)
  const tests = readTests(names)
  const wrong = tests.filter(({ isPassed }) => !isPassed)
  passed += tests.length - wrong.length
  for (const { title } of wrong) fail(title)
  if (!done.isOk && wrong.length === 0) fail(`${done.name}, outside any test`)
  for (const { title, isFlaky } of tests)
    if (isFlaky) console.log(`flaky, passed on retry: ${title}`)
}

function fail(what: string) {
  failed++
  failures.push(what)
  console.log(`failed: ${what}`)
}

function printTimes() {
  const line = (seconds: number, what: string) =>
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${what}`)
  console.log('\nDuration of each part:')
  for (const { name, seconds } of parts) line(seconds, name)
  line(process.uptime(), 'in all')
  console.log(`\nThe ${SLOWEST} slowest tests:`)
  const slowest: Test[] = readTests().toSorted((a, b) => b.ms - a.ms)
  for (const { ms, title } of slowest.slice(0, SLOWEST)) line(ms / 1000, title.slice(-110))
}
