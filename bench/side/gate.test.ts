import { expect, test } from 'vitest'
import { dearer, grown, sentencesOf, toBaseline, type Costs } from './gate.ts'

const cost = (
  change: Partial<Record<'statements' | 'buffers' | 'bytes' | 'ratio', number>> = {},
) => {
  const { statements = 2, buffers = 100, bytes = 20_000, ratio = 1.5 } = change
  return {
    count: { statements, buffers, bytes },
    ratio: { median: ratio, min: ratio - 0.2, max: ratio + 0.2 },
  }
}
const costsOf = (change: Parameters<typeof cost>[0] = {}): Costs =>
  new Map([['list', cost(change)]])
const BASELINE = toBaseline(costsOf())
const ratiosOf = (ratio: number) => new Map([['list', cost({ ratio }).ratio]])

test('the same cost is no growth', () => {
  expect(grown(costsOf(), BASELINE)).toEqual([])
  expect(dearer(ratiosOf(1.5), BASELINE)).toEqual([])
})

test.each([
  ['one statement more', { statements: 3 }, 'list: 3 statements, 2 before'],
  ['buffers of a lost index', { buffers: 117 }, 'list: 117 buffers, 100 before'],
  ['longer answers', { bytes: 23_100 }, 'list: 23100 bytes, 20000 before'],
])('%s is red', (_what, change, sentence) => {
  expect(grown(costsOf(change), BASELINE)).toEqual([sentence])
})

test.each([
  ['a tenth more buffers', { buffers: 110 }],
  ['a tenth more bytes', { bytes: 22_000 }],
  ['now and then a statement of another request', { statements: 2.04 }],
  ['less of everything', { statements: 1, buffers: 50, bytes: 10_000 }],
])('%s is green', (_what, change) => {
  expect(grown(costsOf(change), BASELINE)).toEqual([])
})

test('CPU is red from 40 % more, and says its range', () => {
  expect(dearer(ratiosOf(2.05), BASELINE)).toEqual([])
  expect(dearer(ratiosOf(2.15), BASELINE)).toEqual(['list'])
  expect(sentencesOf(['list'], ratiosOf(2.15), BASELINE)).toEqual([
    'list: CPU 2.15 × bare [1.95–2.35], 1.5 before',
  ])
})

test('a request that is only in one of both is red', () => {
  expect(grown(costsOf(), {})).toEqual(['list: not in the baseline'])
  expect(grown(new Map(), BASELINE)).toEqual(['list: in the baseline, but not measured'])
})
