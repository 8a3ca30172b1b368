import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  document.body.innerHTML = '<div id="root"></div><p id="app-status" role="status"></p>'
})
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const load = () => import('./loading-status.ts')
const line = () => document.getElementById('app-status')?.textContent
const failure = () => document.querySelector('[role="alert"]')
const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent)

test('[LOAD-01] a waiting click shows Loading app... after 150 ms, not before', async () => {
  const { showLoading: showWaiting } = await load()
  showWaiting()
  vi.advanceTimersByTime(149)
  expect(line()).toBe('')
  vi.advanceTimersByTime(1)
  expect(line()).toBe('Loading app...')
})

test('[LOAD-01] further clicks do not postpone Loading app...', async () => {
  const { showLoading: showWaiting } = await load()
  showWaiting()
  vi.advanceTimersByTime(100)
  showWaiting()
  vi.advanceTimersByTime(50)
  expect(line()).toBe('Loading app...')
})

test('[LOAD-01] Loading app... is not shown if the app loads sooner, and the next click waits 150 ms again', async () => {
  const { hideLoading: hideWaiting, showLoading: showWaiting } = await load()
  showWaiting()
  vi.advanceTimersByTime(149)
  hideWaiting()
  vi.advanceTimersByTime(1000)
  expect(line()).toBe('')
  showWaiting()
  vi.advanceTimersByTime(150)
  expect(line()).toBe('Loading app...')
  hideWaiting()
  expect(line()).toBe('')
})

test('a failure to load the app is reported outside #root with Try again, and from the second on with a reload', async () => {
  const { hideFailure, showFailure, showLoading: showWaiting } = await load()
  const tryAgain = vi.fn<() => void>(showWaiting)
  showFailure(tryAgain)
  expect(failure()?.closest('#root')).toBeNull()
  expect(failure()?.textContent).toContain('Couldn’t load')
  expect(buttons()).toEqual(['Try again'])
  document.querySelector('button')?.click()
  expect(tryAgain).toHaveBeenCalledOnce()
  expect(failure()).toBeNull()
  showFailure(tryAgain)
  expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1)
  expect(buttons()).toEqual(['Try again', 'Reload page'])
  hideFailure()
  expect(failure()).toBeNull()
})
