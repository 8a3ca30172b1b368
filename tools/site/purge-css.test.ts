import { expect, test } from 'vitest'
import { requiredClasses } from '../../web/purge-css.ts'

test.each([
  [':focus-visible', []],
  ['::view-transition-new(.page)', []],
  ['a:where([href]:not(.btn)):hover', []],
  [':is(.a, .b) > li', []],
  ['[data-label="a.b"]::before', []],
  ['12.5%', []],
  [':not(.a:not(.b)) + .btn:active', ['btn']],
  ['.tbl.stack td', ['tbl', 'stack']],
  ['h1, .h1', ['h1']],
])('%s is purged only if no script names one of %j', (selector, names) => {
  expect(requiredClasses(selector)).toEqual(names)
})
