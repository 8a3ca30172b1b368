import { expect, test } from 'vitest'
import { toDecimals } from './input.ts'

test.each([
  [12.3, 12.3],
  [0.00005, 0.0001],
  [1.00005, 1.0001],
  [-1.00005, -1.0001],
  [1.00004999, 1],
  [0.12345, 0.1235],
  [1e-7, 0],
  [99_999_999_999.99995, 100_000_000_000],
])('a decimal of %d is stored as %d', (sent, kept) =>
  expect(toDecimals(sent)).toBeCloseTo(kept, 10),
)
