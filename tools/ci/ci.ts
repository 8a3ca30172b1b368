import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { freePorts } from '../stack/settings.ts'
import { argsOf, chooseDrills } from './drills.ts'
import { runBeside, runStep, STATIC, type Done } from './run.ts'
import { readBrowserTests, readUnitTests, type Test } from './test-results.ts'

/** Runs every check; the last line counts them. A part without tests counts as one. */
const SLOWEST = 10
/** Groups of docs/spec/clauses.md that must be proven. */
const PROVEN =
  'LAY,NAV,CRUMB,SCROLL,THEME,PROFILE,CONTACT,PRIV,COOKIE,ROUTE,LOAD,TOAST,MODAL,AUTH,PERM,DYN,API,ERR'

rmSync('.test', { recursive: true, force: true })
// CI: one retry per browser test, counted and reported.
const env = { CI: '1', ...process.env, ...(await freePorts()) }
const parts: Done[] = []
let passed = 0
let failed = 0

// Starting the stack mostly waits for Keycloak, so it runs beside the static checks.
const stack = runStep(npm('stack', 'up'), env, { isAlone: false })
for (const done of await runBeside(STATIC, availableParallelism(), env)) count(done)
parts.push(await stack)
countTests(await runStep(npm('test'), env), readUnitTests())
countTests(await runStep(npm('e2e'), env), readBrowserTests())
count(await runStep(npm('drill', 'stranger', '--short'), env))
parts.push(await runStep(npm('stack', 'reset'), env))
count(await runStep(npm('spec', '--require', PROVEN, '--all'), env))
count(await runStep(npm('bench', 'short'), env))
for (const name of drills()) count(await runStep(npm('drill', name, ...argsOf(name)), env))

printTimes()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function npm(script: string, ...args: string[]) {
  const name = [script, ...args.filter((arg) => arg !== PROVEN)].join(' ')
  return { name, command: ['npm', 'run', '--silent', script, '--', ...args] }
}

function drills() {
  const { chosen, skipped } = chooseDrills({ changed: changedPaths(), rotation: turn() })
  console.log(`drills: ${chosen.join(', ')}`)
  if (skipped.length > 0) console.log(`skipped, over the time budget: ${skipped.join(', ')}`)
  return chosen
}

/** Paths changed since the branch left main; on main, by the last commit. */
function changedPaths() {
  const base = process.env['CI_BASE'] ?? git('merge-base', 'origin/main', 'HEAD')
  const since = base && base !== git('rev-parse', 'HEAD') ? base : 'HEAD^'
  return git('diff', '--name-only', since, 'HEAD').split('\n')
}

/** A shallow clone has no commit count, so its number is days since 1970. */
function turn() {
  const isShallow = git('rev-parse', '--is-shallow-repository') !== 'false'
  return isShallow
    ? Math.floor(Date.now() / 86_400_000)
    : Number(git('rev-list', '--count', 'HEAD'))
}

/** Empty when git fails: an archive has no history. */
function git(...args: string[]) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

function count(done: Done) {
  parts.push(done)
  if (done.isOk) passed++
  else failed++
}

/** A failure outside any test (set-up, import) counts as one. */
function countTests(done: Done, tests: Test[]) {
  parts.push(done)
  const wrong = tests.filter(({ isPassed }) => !isPassed)
  passed += tests.length - wrong.length
  failed += done.isOk ? wrong.length : Math.max(1, wrong.length)
  for (const { title } of wrong) console.log(`failed: ${title}`)
  for (const { title, isFlaky } of tests)
    if (isFlaky) console.log(`flaky, passed on retry: ${title}`)
}

function printTimes() {
  const line = (seconds: number, what: string) =>
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${what}`)
  console.log('\nDuration of each part:')
  for (const { name, seconds } of parts) line(seconds, name)
  console.log(`\nThe ${SLOWEST} slowest tests:`)
  const tests = [...readUnitTests(), ...readBrowserTests()].toSorted((a, b) => b.ms - a.ms)
  for (const { ms, title } of tests.slice(0, SLOWEST)) line(ms / 1000, title.slice(-110))
}
