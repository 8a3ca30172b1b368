import { expect, test } from 'vitest'
import { titlePatterns } from './comparison.ts'

test('a quoted title matches its template in a test file, and no other', () => {
  const source = 'test(`writes to ${path} get the same responses`, () => {})'
  const isWritten = (title: string) => titlePatterns(source).some((one) => one.test(title))
  expect(isWritten('writes to tickets get the same responses')).toBe(true)
  expect(isWritten('reads of tickets get the same responses')).toBe(false)
  expect(titlePatterns("test('%s', () => {})")).toEqual([])
})
