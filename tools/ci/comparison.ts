import { readFileSync } from 'node:fs'
import { readTests, readTestSources } from './test-results.ts'

const FILE = 'docs/spec/comparison.md'
const ROWS = 38

type Written = { isComplete: boolean }

/**
 * Each ✓ of ours in docs/spec/comparison.md names the tests that prove it; reports those that are missing or failed. A test
 * that has not run must exist; `isComplete`, after a run of every suite, requires that it passed.
 */
export function checkComparison({ isComplete }: Written) {
  const rows = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ /.test(line))
    .map(cells)
  const claims = rows.filter((row) => row.length > 3)
  const ours = claims.filter(([, , claim]) => claim?.startsWith('✓'))
  const proofs = new Map(
    rows.filter((row) => row.length <= 3).map(([row, , tests]) => [row, tests]),
  )
  const isProven = buildProof({ isComplete })
  const errors = [
    ...(claims.length === ROWS ? [] : [`${FILE} has ${claims.length} rows, not ${ROWS}`]),
    ...ours.flatMap(([row = '']) => {
      const titles = [...(proofs.get(row) ?? '').matchAll(/`([^`]+)`/g)].map(([, one = '']) => one)
      if (titles.length === 0) return [`row ${row} claims ✓ but names no test`]
      return titles
        .filter((title) => !isProven(title))
        .map((title) => `row ${row}: test "${title}" is missing or failed`)
    }),
  ]
  for (const error of errors) console.log(error)
  console.log(
    errors.length === 0
      ? `comparison: ${ours.length} of ${ROWS} claimed, each proven by its tests`
      : `comparison: FAILED, ${errors.length} claims without proof`,
  )
  return errors.length === 0
}

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function buildProof({ isComplete }: Written) {
  const tests = readTests()
  const written = readTestSources().flatMap(titlePatterns)
  return (title: string) => {
    const ran = tests.filter((test) => test.title.includes(title))
    if (ran.length > 0) return ran.every(({ isPassed }) => isPassed)
    return !isComplete && written.some((pattern) => pattern.test(title))
  }
}

const TITLE_LENGTH_MIN = 15
const PLACEHOLDER = /\$\{[^}]*\}|%[sj]|\$\w+/

/** The strings of a test file that may be titles, with anything in place of their placeholders. */
export const titlePatterns = (source: string) =>
  [...source.matchAll(/(['`"])((?:(?!\1)[^\\\n]|\\.)+)\1/g)]
    .map(([, , text = '']) => text.split(PLACEHOLDER))
    .filter((parts) => parts.join('').length >= TITLE_LENGTH_MIN)
    .map((parts) => new RegExp(parts.map(escape).join('.+')))

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
