import { expect, test } from 'vitest'
import { isFailure, toVerdicts, type Found } from './verdict.ts'
import { toSection } from './report.ts'
import type { Size } from './sizes.ts'

const listed = { what: 'a page', group: 'pages', buffers: 100, ms: 1 }
const page: Found = { ...listed, limit: 150 }
const cost = (buffers: number): Found => ({ ...page, buffers })

function verified(...[small, middle, big]: [Found, Found, Found?]) {
  const at = new Map<Size, Found[]>([
    ['10k', [small]],
    ['1m', [middle]],
  ])
  if (big) at.set('10m', [big])
  return toVerdicts(at)
}
const verdictOn = (...found: [Found, Found, Found?]) => verified(...found)[0]?.verdict

test('a request within its limit and without growth passes', () => {
  expect(verdictOn(page, page, cost(130))).toBe('ok')
  expect(verdictOn(page, page)).toBe('ok')
})

test('a request over its limit at any size is OVER', () => {
  expect(verdictOn(cost(151), page, page)).toBe('OVER')
  expect(verdictOn(page, page, cost(151))).toBe('OVER')
})

test('a request above 1.3 × from one million to ten million is GROWN, unless it reads only a few pages', () => {
  expect(verdictOn(page, page, cost(131))).toBe('GROWN')
  expect(verdictOn(page, cost(10), cost(20))).toBe('ok')
  expect(verdictOn(page, cost(10), cost(21))).toBe('GROWN')
  expect(verdictOn(cost(5), page, page)).toBe('ok')
})

test('a request without a limit is reported, and fails only with a fault', () => {
  expect(verdictOn(listed, listed, { ...listed, buffers: 9_000 })).toBe('reported')
  expect(verified(listed, listed, { ...listed, fault: 'late' }).filter(isFailure)).toHaveLength(1)
})

test('a slow request is LATE unless it is answered or rejected within its wait limit', () => {
  const slow = { ...listed, waitMs: 2_500 }
  expect(verdictOn(slow, slow, { ...slow, buffers: 9_000, ms: 2_400 })).toBe('ok')
  expect(verdictOn(slow, slow, { ...slow, ms: 2_100, isRefused: true })).toBe('ok')
  expect(verdictOn(slow, slow, { ...slow, ms: 2_501, isRefused: true })).toBe('LATE')
})

test('the growth report shows the most expensive case, the growth, a rejection and missed limits', () => {
  const rows = toVerdicts(
    new Map<Size, Found[]>([
      ['1m', [page, { ...page, what: 'another', buffers: 120 }]],
      ['10m', [page, { ...page, what: 'another', buffers: 180 }]],
    ]),
  )
  const text = toSection(rows, { sizes: ['1m', '10m'], seconds: 1, disk: new Map() })
  expect(text).toMatch(
    /\| pages +\| 2 +\| 120, 1\.0 ms +\| 180, 1\.0 ms +\| 1\.50 × +\| ≤ 150 MISSED by 1: OVER \|/,
  )
  expect(text).toMatch(/^pages \| +bc$/m)
  const slow: Found = { what: 'slow', group: 'slow', buffers: 0, ms: 2_010, isRefused: true }
  const refused = toSection(toVerdicts(new Map([['1m', [slow]]])), {
    sizes: ['1m'],
    seconds: 1,
    disk: new Map(),
  })
  expect(refused).toContain('| refused, 2,010 ms |')
  expect(refused).toMatch(/^slow \| +>$/m)
})
