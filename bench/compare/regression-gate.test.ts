import { expect, test } from 'vitest'
import type { Count } from './count-statements.ts'
import { differences, overLimit, toBaseline, type Counts } from './regression-gate.ts'

const countsOf = (change: Partial<Count> = {}): Counts =>
  new Map([['list', { statements: 2, buffers: 100, bytes: 20_000, ...change }]])
const BASELINE = toBaseline(countsOf())

test('the gate is green for the same counts', () => {
  expect(differences(countsOf(), BASELINE)).toEqual([])
})

test.each([
  ['one statement more', { statements: 3 }, 'list: 3 statements, 2 before'],
  ['one statement fewer', { statements: 1 }, 'list: 1 statements, 2 before'],
  ['buffers of a lost index', { buffers: 109 }, 'list: 109 buffers, 100 before'],
  ['longer responses', { bytes: 20_100 }, 'list: 20100 bytes, 20000 before'],
])('the gate is red for %s', (_what, change, sentence) => {
  expect(differences(countsOf(change), BASELINE)).toEqual([sentence])
})

test.each([
  ['some pages of an index more', { buffers: 107 }],
  ['a digit more', { bytes: 20_008 }],
  ['now and then a statement of another request', { statements: 2.04 }],
  ['fewer buffers and bytes', { buffers: 50, bytes: 10_000 }],
])('the gate is green for %s', (_what, change) => {
  expect(differences(countsOf(change), BASELINE)).toEqual([])
})

test('the gate is red if a request is missing from the baseline or from the run', () => {
  expect(differences(countsOf(), {})).toEqual(['list: not in the baseline'])
  expect(differences(new Map(), BASELINE)).toEqual(['list: in the baseline, but not measured'])
})

test('CPU is over its limit above the multiple of bare that must hold', () => {
  const ratios = (median: number) =>
    new Map([['list, admin', { median, min: median - 0.2, max: median + 0.2 }]])
  expect(overLimit(ratios(2.3))).toEqual([])
  expect(overLimit(ratios(2.31))).toEqual(['list, admin'])
})
