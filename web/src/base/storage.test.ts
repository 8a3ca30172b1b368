import { afterEach, describe, expect, test, vi } from 'vitest'
import { canStore, local, session } from './storage.ts'

const throwing = (name: string) => () => {
  throw new DOMException('No.', name)
}
const block = () => {
  for (const kind of ['sessionStorage', 'localStorage'] as const)
    vi.spyOn(window, kind, 'get').mockImplementation(throwing('SecurityError'))
}
const fill = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(throwing('QuotaExceededError'))

afterEach(() => {
  vi.restoreAllMocks()
  for (const storage of [session, local]) for (const key of storage.keys()) storage.remove(key)
})

describe.each([
  ['blocked', block],
  ['full', fill],
])('storage that is %s', (_how, refuseAll) => {
  test('unusable storage falls back to memory while the page is open', () => {
    refuseAll()
    for (const storage of [session, local]) {
      expect(storage.get('a')).toBeNull()
      storage.set('a', '1')
      expect(storage.get('a')).toBe('1')
      expect(storage.keys()).toEqual(['a'])
      storage.remove('a')
      expect(storage.get('a')).toBeNull()
    }
  })

  test('unusable storage can’t be used for a sign-in redirect', () => {
    expect(canStore()).toBe(true)
    refuseAll()
    expect(canStore()).toBe(false)
  })
})

test('a write rejected by full storage is kept in memory; later writes are stored', () => {
  session.set('a', 'old')
  fill()
  session.set('a', 'new')
  expect(session.get('a')).toBe('new')
  vi.restoreAllMocks()
  session.set('a', 'newest')
  expect(sessionStorage.getItem('a')).toBe('newest')
  expect(session.get('a')).toBe('newest')
})
