import { expect, test } from 'vitest'
import { ACCESS_LEVELS, canAccess, levelOf, reaches, type Access, type Visitor } from './access.ts'

const nobody: Visitor = null
const user: Visitor = { sub: 'u', name: 'Ursula', role: 'user' }
const admin: Visitor = { sub: 'a', name: null, role: 'admin' }

test.each<[needed: Access, who: string, visitor: Visitor, may: boolean]>([
  ['public', 'nobody', nobody, true],
  ['public', 'a user', user, true],
  ['public', 'an admin', admin, true],
  ['user', 'nobody', nobody, false],
  ['user', 'a user', user, true],
  ['user', 'an admin', admin, true],
  ['admin', 'nobody', nobody, false],
  ['admin', 'a user', user, false],
  ['admin', 'an admin', admin, true],
])('[PERM-01] what needs %s, asked by %s (%j): %s', (needed, _, visitor, may) => {
  expect(canAccess(needed, visitor)).toBe(may)
  // Schemas are per level, guards per visitor: the two must agree.
  expect(reaches(levelOf(visitor), needed)).toBe(may)
})

test('[PERM-01] only the exact role admin makes an admin', () => {
  for (const role of ['Admin', 'administrator', '', ['admin'], true]) {
    const visitor = { ...user, role: role as 'user' }
    expect(canAccess('admin', visitor)).toBe(false)
    expect(levelOf(visitor)).toBe('user')
  }
})

test('access levels are ordered, and each satisfies itself', () => {
  expect(ACCESS_LEVELS).toEqual(['public', 'user', 'admin'])
  for (const level of ACCESS_LEVELS) expect(reaches(level, level)).toBe(true)
})
