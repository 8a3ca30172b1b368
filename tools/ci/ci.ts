import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { freePort } from '../stack/postgres.ts'

/** Every check, one after another, none skipped; the last line counts them. A step without tests counts as one. */
const RESULTS = { unit: '.test/vitest.json', browser: '.test/playwright.json' }
/** The groups of docs/clauses.md that must be proven by now. */
const PROVEN =
  'LAY,NAV,CRUMB,SCROLL,THEME,PROFILE,CONTACT,PRIV,COOKIE,ROUTE,LOAD,TOAST,MODAL,AUTH,PERM,DYN,API,ERR'

rmSync('.test', { recursive: true, force: true })
// CI: a browser test gets one more try, which is counted and named.
const env = { CI: '1', ...process.env, ...(await ownPorts()) }
let passed = 0
let failed = 0

for (const step of ['format', 'lint', 'types', 'dead-code', 'sql', 'notice:check']) count(run(step))
countTests(run('test'), readUnit)
// For both that need it.
run('stack', 'up')
countTests(run('e2e'), readBrowser)
count(run('drill', 'stranger', '--short'))
run('stack', 'reset')
count(run('spec', '--require', PROVEN))
count(run('drill', 'fuzz', '--short'))
count(run('comparison', '--all'))

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** A stack of its own, beside whatever else runs on the machine. */
async function ownPorts() {
  const names = [
    'SITE_PORT',
    'API_PORT',
    'KEYCLOAK_PORT',
    'POSTGRES_PORT',
    'MAIL_SMTP_PORT',
    'MAIL_PORT',
  ]
  const ports = await Promise.all(
    names.map(async (name) => [name, String(await freePort())] as const),
  )
  return Object.fromEntries(ports)
}

function run(step: string, ...args: string[]) {
  const started = Date.now()
  const { status } = spawnSync('npm', ['run', '--silent', step, '--', ...args], {
    stdio: 'inherit',
    env,
  })
  console.log(
    `${status === 0 ? 'ok' : 'FAILED'}  ${step}  ${((Date.now() - started) / 1000).toFixed(1)} s`,
  )
  return status === 0
}

function count(isPassed: boolean) {
  if (isPassed) passed++
  else failed++
}

type Counts = { passed: number; failed: number }

/** A failure outside any test (set-up, import) still counts as one. */
function countTests(isPassed: boolean, read: () => Counts) {
  const counts = read()
  passed += counts.passed
  failed += isPassed ? counts.failed : Math.max(1, counts.failed)
}

function readUnit(): Counts {
  if (!existsSync(RESULTS.unit)) return { passed: 0, failed: 0 }
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(RESULTS.unit, 'utf8'))
  return { passed: numPassedTests, failed: numFailedTests }
}

function readBrowser(): Counts {
  if (!existsSync(RESULTS.browser)) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected } = JSON.parse(readFileSync(RESULTS.browser, 'utf8')).stats
  if (flaky > 0) console.log(`${flaky} browser tests passed only at the second try`)
  return { passed: expected + flaky, failed: unexpected }
}
