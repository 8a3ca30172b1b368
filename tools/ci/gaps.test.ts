import { expect, test } from 'vitest'
import { findGaps } from './gaps.ts'

const passed = { title: 'a [LAY-01] passed', isPassed: true }
const failed = { title: 'a [LAY-01] failed', isPassed: false }

test('a clause needs a passing test and no failed one', () => {
  expect(findGaps(['LAY-01'], { tests: [passed], sources: [] })).toEqual([])
  expect(findGaps(['LAY-01'], { tests: [passed, failed], sources: [] })).toEqual(['LAY-01'])
  expect(findGaps(['LAY-02'], { tests: [passed], sources: [] })).toEqual(['LAY-02'])
})

test('in a run that left suites out, a test that did not run must exist', () => {
  const sources = ["test('[LAY-02] not run', () => {})"]
  expect(findGaps(['LAY-02'], { tests: [], sources })).toEqual([])
  expect(findGaps(['LAY-03'], { tests: [], sources })).toEqual(['LAY-03'])
  expect(findGaps(['LAY-01'], { tests: [failed], sources: ['[LAY-01]'] })).toEqual(['LAY-01'])
})
