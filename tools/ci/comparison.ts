import { readdirSync, readFileSync } from 'node:fs'
import { readBrowserTests, readUnitTests, type Test } from './test-results.ts'

/**
 * docs/comparison.md says what we have; every ✓ of ours names the tests that prove it. This fails where one is not there or
 * did not pass. A browser test that has not run must at least be written; with `--all`, after a whole `npm run e2e`, it must
 * have passed.
 */
const FILE = 'docs/comparison.md'
const ROWS = 38
const isComplete = process.argv.includes('--all')

const lines = readFileSync(FILE, 'utf8').split('\n')
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const rows = lines.filter((line) => /^\| \d+ /.test(line)).map(cells)
const claims = rows.filter((row) => row.length > 3)
const proofs = new Map(rows.filter((row) => row.length <= 3).map(([row, , tests]) => [row, tests]))
const unit = readUnitTests()
const browser = readBrowserTests()
const written = readdirSync('e2e')
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(`e2e/${name}`, 'utf8'))

const mistakes = [
  ...(claims.length === ROWS ? [] : [`${FILE} has ${claims.length} rows, not ${ROWS}`]),
  ...claims.filter(([, , ours]) => ours?.startsWith('✓')).flatMap(([row = '']) => checkRow(row)),
]
for (const mistake of mistakes) console.log(mistake)
const count = claims.filter(([, , ours]) => ours?.startsWith('✓')).length
console.log(
  mistakes.length === 0
    ? `comparison: ${count} of ${ROWS} claimed, each proven by its tests`
    : `comparison: FAILED, ${mistakes.length} claims without proof`,
)
process.exit(mistakes.length === 0 ? 0 : 1)

function checkRow(row: string) {
  const tests = [...(proofs.get(row) ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
  if (tests.length === 0) return [`row ${row} claims ✓ and names no test`]
  return tests
    .filter((title) => !isProven(title))
    .map((title) => `row ${row}: "${title}" is not proven`)
}

function isProven(title: string) {
  const ran = [...unit, ...browser].filter((test) => test.title.includes(title))
  if (ran.length > 0) return ran.every(({ isPassed }: Test) => isPassed)
  return !isComplete && written.some((text) => text.includes(title))
}
