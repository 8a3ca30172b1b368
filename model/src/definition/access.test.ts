import { expect, test } from 'vitest'
import { ACCESS_LEVELS, canAccess, levelOf, reaches, type Access, type Visitor } from './access.ts'

const anonymous: Visitor = null
const user: Visitor = { sub: 'u', name: 'Ursula', role: 'user' }
const admin: Visitor = { sub: 'a', name: null, role: 'admin' }
const owner: Visitor = { ...admin, owner: true }

test.each<[needed: Access, who: string, visitor: Visitor, may: boolean]>([
  ['public', 'an anonymous visitor', anonymous, true],
  ['public', 'a user', user, true],
  ['public', 'an admin', admin, true],
  ['user', 'an anonymous visitor', anonymous, false],
  ['user', 'a user', user, true],
  ['user', 'an admin', admin, true],
  ['admin', 'an anonymous visitor', anonymous, false],
  ['admin', 'a user', user, false],
  ['admin', 'an admin', admin, true],
  ['public', 'an owner', owner, true],
  ['user', 'an owner', owner, true],
  ['admin', 'an owner', owner, true],
  ['owner', 'an anonymous visitor', anonymous, false],
  ['owner', 'a user', user, false],
  ['owner', 'an admin', admin, false],
  ['owner', 'an owner', owner, true],
])('[PERM-01] access level %s, requested by %s (%j), is granted: %s', (needed, _, visitor, may) => {
  expect(canAccess(needed, visitor)).toBe(may)
  // Schemas are per level, guards per visitor; both must agree.
  expect(reaches(levelOf(visitor), needed)).toBe(may)
})

test('[PERM-01] only the exact role admin makes an admin', () => {
  for (const role of ['Admin', 'administrator', '', ['admin'], true]) {
    const visitor = { ...user, role: role as 'user' }
    expect(canAccess('admin', visitor)).toBe(false)
    expect(levelOf(visitor)).toBe('user')
  }
})

test('an owner needs the role admin and the exact claim', () => {
  expect(levelOf({ ...user, owner: true })).toBe('user')
  for (const claim of ['true', 1, ['owner'], {}, null])
    expect(levelOf({ ...admin, owner: claim as unknown as boolean })).toBe('admin')
})

test('access levels are ordered, and each satisfies itself', () => {
  expect(ACCESS_LEVELS).toEqual(['public', 'user', 'admin', 'owner'])
  for (const level of ACCESS_LEVELS) expect(reaches(level, level)).toBe(true)
})
