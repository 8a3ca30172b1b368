import { expect, test } from 'vitest'
import { newId } from './uuid.ts'

test('ids are UUIDs of version 7, all different, in the order in which they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const made = parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
  expect(Math.abs(Date.now() - made)).toBeLessThan(5_000)
})

test('nothing but the count is shared by ids of one millisecond', () => {
  const tails = Array.from({ length: 2_000 }, () => newId().slice(-11))
  expect(new Set(tails).size).toBe(tails.length)
})
