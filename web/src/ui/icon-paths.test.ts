import { expect, test } from 'vitest'
import { roundPath } from '../../icon-paths.ts'

test.each([
  ['a third digit goes', 'M1.646 4.354h.7081', 'M1.65 4.35h.71'],
  ['numbers that stood apart by a dot still do', 'M1.6461.354.2.999', 'M1.65.35.2 1'],
  ['a minus keeps them apart too', 'm8-2.999-.004-1', 'm8-3 0-1'],
  ['flags of an arc may touch what follows', 'a1 1 0 011.999.501z', 'a1 1 0 0 1 2 .5z'],
  [
    'and are read again for every arc',
    'a.5.5 0 0 1-.5.5.5.5 0 10.006 1',
    'a.5.5 0 0 1-.5.5.5.5 0 1 0 .01 1',
  ],
])('%s', (_what, path, rounded) => {
  expect(roundPath(path)).toBe(rounded)
})
