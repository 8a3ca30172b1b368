import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'

/** Every check, one after another, none skipped; the last line counts them. A step without tests counts as one. */
const RESULTS = '.test/results.json'
const steps = ['format', 'lint', 'types', 'dead-code', 'sql']

mkdirSync('.test', { recursive: true })
let passed = 0
let failed = 0

for (const step of steps) run(step, [])
const tests = run('test', [
  '--',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${RESULTS}`,
])
countTests(tests)

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function run(step: string, args: string[]) {
  const started = Date.now()
  const { status } = spawnSync('npm', ['run', '--silent', step, ...args], { stdio: 'inherit' })
  console.log(
    `${status === 0 ? 'ok' : 'FAILED'}  ${step}  ${((Date.now() - started) / 1000).toFixed(1)} s`,
  )
  if (status === 0) passed++
  else failed++
  return status
}

function countTests(status: number | null) {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(RESULTS, 'utf8'))
  passed += numPassedTests - 1
  // A failure outside any test (set-up, import) still counts.
  failed += status === 0 ? 0 : Math.max(0, numFailedTests - 1)
  if (status !== 0) passed++
}
