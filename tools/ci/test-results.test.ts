import { expect, test } from 'vitest'
import { unitTests } from './test-results.ts'

const passed = { fullName: 'a test passes', status: 'passed', duration: 3 }
const skipped = { fullName: 'a test never ran', status: 'skipped' }

test('a test file that fails outside its tests counts as one failure, under its path', () => {
  const file = {
    name: `${process.cwd()}/api/src/a.test.ts`,
    status: 'failed',
    assertionResults: [passed, skipped],
  }
  const tests = unitTests({ testResults: [file] })
  expect(tests.map(({ title, isPassed }) => [title, isPassed])).toEqual([
    ['a test passes', true],
    ['api/src/a.test.ts, outside any test', false],
  ])
})

test('a test file with a failed test counts that test alone', () => {
  const failed = { ...passed, fullName: 'a test fails', status: 'failed' }
  const file = { name: '/a.test.ts', status: 'failed', assertionResults: [passed, failed] }
  expect(unitTests({ testResults: [file] }).filter(({ isPassed }) => !isPassed)).toMatchObject([
    { title: 'a test fails' },
  ])
})
