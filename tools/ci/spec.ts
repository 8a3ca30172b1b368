import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkComparison } from './comparison.ts'
import { readBrowserTests, readUnitTests, RESULTS } from './test-results.ts'

/**
 * Lists every clause of docs/spec/clauses.md with its tests and their last results (`npm run check`, `npm run e2e`), and fails
 * when a clause has no passing test; `--require AUTH,PERM` checks these groups only. Then checks the claims of
 * docs/spec/comparison.md; with `--all` their browser tests must have run.
 */
const { values } = parseArgs({
  options: { require: { type: 'string' }, all: { type: 'boolean', default: false } },
})
const groups = values.require?.split(',') ?? null
const tests = [...readUnitTests(), ...readBrowserTests()]
const clauses = readClauses('docs/spec/clauses.md').filter(
  (id) => !groups || groups.includes(id.split('-')[0] ?? ''),
)
const proofs = clauses.map((id) => ({
  id,
  tests: tests.filter(({ title }) => title.includes(`[${id}]`)),
}))
const gaps = proofs.filter(
  ({ tests: found }) =>
    !found.some(({ isPassed }) => isPassed) || found.some(({ isPassed }) => !isPassed),
)

for (const { id, tests: found } of proofs) {
  console.log(`${gaps.some((gap) => gap.id === id) ? '✗' : '✓'} ${id}`)
  for (const { title, isPassed } of found)
    console.log(`    ${isPassed ? 'passed' : 'FAILED'}  ${title}`)
}
for (const [command, file] of [
  ['npm run check', RESULTS.unit],
  ...RESULTS.browser.map((file): [string, string] => ['npm run e2e', file]),
] as const)
  if (!existsSync(file)) console.log(`No results of ${command} yet.`)
console.log(
  `${clauses.length - gaps.length} of ${clauses.length} clauses proven by ${tests.length} tests`,
)
if (gaps.length > 0) console.log(`Without a passing test: ${gaps.map(({ id }) => id).join(' ')}`)
const isComparisonTrue = checkComparison({ isComplete: values.all })
process.exit(gaps.length === 0 && isComparisonTrue ? 0 : 1)

function readClauses(file: string) {
  return [...readFileSync(file, 'utf8').matchAll(/^\| ([A-Z]+-\d+) +\|/gm)].map(
    (match) => match[1] ?? '',
  )
}
