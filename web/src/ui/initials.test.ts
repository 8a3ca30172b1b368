import { expect, test } from 'vitest'
import { initialsOf } from './initials.tsx'

test.each([
  ['Alex Marlow', 'AM'],
  ['María de la Cruz', 'MC'],
  ['  élodie   o’Brien ', 'ÉO'],
  ['Cher', 'C'],
  ['李 小龙', '李小'],
  ['𝒜lex Marlow', '𝒜M'],
  [' ', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
