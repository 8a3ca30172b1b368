import { expect, test } from 'vitest'
import { deriveKeys, isSameSignature } from './signing-keys.ts'

test('keys differ by secret and by purpose', () => {
  const keys = [...deriveKeys(['one', 'two'], 'a'), ...deriveKeys(['one', 'two'], 'b')]
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4)
})

test('signatures of another length or content differ', () => {
  expect(isSameSignature('abc', 'abc')).toBe(true)
  expect(['', 'ab', 'abd', 'abcd', 'äbc'].filter((other) => isSameSignature('abc', other))).toEqual(
    [],
  )
})
