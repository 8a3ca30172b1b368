import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkComparison } from './comparison.ts'
import { findGaps } from './gaps.ts'
import { missingParts, readTests, readTestSources } from './test-results.ts'

/**
 * Lists every clause of docs/spec/clauses.md with its tests and their last results (`npm run check`, `npm run e2e`), and fails
 * when a clause has no passing test; then checks the claims of docs/spec/comparison.md. With `--chosen`, after a run that left
 * suites out, a test that did not run must only exist.
 */
const { values } = parseArgs({ options: { chosen: { type: 'boolean', default: false } } })
const tests = readTests()
const sources = values.chosen ? readTestSources() : []
const clauses = readClauses('docs/spec/clauses.md')
const gaps = findGaps(clauses, { tests, sources })

for (const id of clauses) {
  console.log(`${gaps.includes(id) ? '✗' : '✓'} ${id}`)
  for (const { title, isPassed } of tests.filter((test) => test.title.includes(`[${id}]`)))
    console.log(`    ${isPassed ? 'passed' : 'FAILED'}  ${title}`)
}
for (const part of missingParts()) console.log(`No results of the ${part} tests.`)
console.log(
  `${clauses.length - gaps.length} of ${clauses.length} clauses proven by ${tests.length} tests`,
)
if (gaps.length > 0) console.log(`Without a passing test: ${gaps.join(' ')}`)
const isComparisonTrue = checkComparison({ isComplete: !values.chosen })
process.exit(gaps.length === 0 && isComparisonTrue ? 0 : 1)

function readClauses(file: string) {
  return [...readFileSync(file, 'utf8').matchAll(/^\| ([A-Z]+-\d+) +\|/gm)].map(
    (match) => match[1] ?? '',
  )
}
