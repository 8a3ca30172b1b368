import { expect, test } from 'vitest'
import { newId } from './uuid.ts'

test('newId returns unique version 7 UUIDs in the order of creation', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const createdAt = parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
  expect(Math.abs(Date.now() - createdAt)).toBeLessThan(5_000)
})

test('newId randomises the tail of IDs created in the same millisecond', () => {
  const tails = Array.from({ length: 2_000 }, () => newId().slice(-11))
  expect(new Set(tails).size).toBe(tails.length)
})
