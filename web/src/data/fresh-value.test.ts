import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildFreshValue } from './fresh-value.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const shown = (value: ReturnType<typeof buildFreshValue<number>>) =>
  renderHook(() => value.use()).result.current

test('a fresh value is loaded once a minute, and at once after it has expired', async () => {
  const load = vi.fn<() => Promise<number>>().mockResolvedValue(3)
  const value = buildFreshValue(load)
  await value.refresh()
  await value.refresh()
  expect(load).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() + 60_000)
  await value.refresh()
  expect(load).toHaveBeenCalledTimes(2)
  value.expire()
  await value.refresh()
  expect(load).toHaveBeenCalledTimes(3)
})

test('a value that a page has read counts as loaded, and a load begun before it is ignored', async () => {
  let finish: (count: number) => void = () => {}
  const load = vi.fn<() => Promise<number>>(() => new Promise((resolve) => (finish = resolve)))
  const value = buildFreshValue(load)
  const reading = value.refresh()
  value.set(7)
  finish(3)
  await reading
  await value.refresh()
  expect(load).toHaveBeenCalledTimes(1)
  expect(shown(value)).toBe(7)
})

test('a fresh value that can’t be loaded is null, unless the navigation was interrupted', async () => {
  const value = buildFreshValue<number>(() => Promise.reject(new Error('offline')))
  const interrupted = new AbortController()
  interrupted.abort()
  await value.reload(interrupted.signal)
  expect(shown(value)).toBeUndefined()
  await value.reload()
  await waitFor(() => expect(shown(value)).toBeNull())
})
