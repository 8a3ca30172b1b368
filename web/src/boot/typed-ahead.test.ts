import { afterEach, expect, test, vi } from 'vitest'
import { holdTyping, takeTyping } from './typed-ahead.ts'

afterEach(takeTyping)

/** True if the page still got the key. */
const press = (key: string, more: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
  )

test('typing is held until it is taken, with corrections', () => {
  holdTyping(() => {})
  expect(['x', 'y', 'Backspace', ' ', '1'].map((key) => press(key))).not.toContain(true)
  expect(takeTyping()).toBe('x 1')
  expect(press('z')).toBe(true)
  expect(takeTyping()).toBe('')
})

test('keys that type nothing still reach the page while typing is held', () => {
  holdTyping(() => {})
  expect([press('Tab'), press('c', { ctrlKey: true })]).toEqual([true, true])
  expect(takeTyping()).toBe('')
})

test('Escape drops held typing and cancels', () => {
  const cancel = vi.fn<() => void>()
  holdTyping(cancel)
  press('x')
  press('Escape')
  expect(cancel).toHaveBeenCalledOnce()
  expect(takeTyping()).toBe('')
})
