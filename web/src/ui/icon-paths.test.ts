import { expect, test } from 'vitest'
import { roundPath } from '../../icon-paths.ts'

test.each([
  ['rounding an icon path drops a third decimal', 'M1.646 4.354h.7081', 'M1.65 4.35h.71'],
  ['rounding an icon path keeps numbers separated by a dot', 'M1.6461.354.2.999', 'M1.65.35.2 1'],
  ['rounding an icon path keeps numbers separated by a minus', 'm8-2.999-.004-1', 'm8-3 0-1'],
  [
    'rounding an icon path parses arc flags without separators',
    'a1 1 0 011.999.501z',
    'a1 1 0 0 1 2 .5z',
  ],
  [
    'rounding an icon path parses the flags of every arc',
    'a.5.5 0 0 1-.5.5.5.5 0 10.006 1',
    'a.5.5 0 0 1-.5.5.5.5 0 1 0 .01 1',
  ],
])('%s', (_what, path, rounded) => {
  expect(roundPath(path)).toBe(rounded)
})
