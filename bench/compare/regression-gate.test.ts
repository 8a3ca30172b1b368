import { expect, test } from 'vitest'
import type { Count } from './count-statements.ts'
import { differences, overLimit, toBaseline, type Counts } from './regression-gate.ts'

const countsOf = (change: Partial<Count> = {}): Counts =>
  new Map([['list', { statements: 2, buffers: 100, bytes: 20_000, ...change }]])
const BASELINE = toBaseline(countsOf())

test('the regression gate passes with equal counts', () => {
  expect(differences(countsOf(), BASELINE)).toEqual([])
})

test.each([
  ['one more statement', { statements: 3 }, 'list: 3 statements, 2 before'],
  ['one statement less', { statements: 1 }, 'list: 1 statements, 2 before'],
  ['buffers of a lost index', { buffers: 109 }, 'list: 109 buffers, 100 before'],
  ['longer responses', { bytes: 20_100 }, 'list: 20100 bytes, 20000 before'],
])('the regression gate fails with %s', (_what, change, sentence) => {
  expect(differences(countsOf(change), BASELINE)).toEqual([sentence])
})

test.each([
  ['a few more index pages', { buffers: 107 }],
  ['one more digit', { bytes: 20_008 }],
  ['an occasional statement of another request', { statements: 2.04 }],
  ['fewer buffers and bytes', { buffers: 50, bytes: 10_000 }],
])('the regression gate passes with %s', (_what, change) => {
  expect(differences(countsOf(change), BASELINE)).toEqual([])
})

test('the regression gate fails if a request is missing from the baseline or from the run', () => {
  expect(differences(countsOf(), {})).toEqual(['list: not in the baseline'])
  expect(differences(new Map(), BASELINE)).toEqual(['list: in the baseline, but not measured'])
})

test('a request’s CPU is over its limit above the allowed multiple of bare Fastify', () => {
  const ratios = (median: number) =>
    new Map([['list, admin', { median, min: median - 0.2, max: median + 0.2 }]])
  expect(overLimit(ratios(2.3))).toEqual([])
  expect(overLimit(ratios(2.31))).toEqual(['list, admin'])
})
