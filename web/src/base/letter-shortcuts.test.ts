import { afterEach, expect, test } from 'vitest'
import { areLettersOn, isLetterShortcut, switchLetters } from './letter-shortcuts.ts'

afterEach(() => {
  document.body.replaceChildren()
  localStorage.clear()
})

function press(markup: string, more: KeyboardEventInit = {}) {
  document.body.innerHTML = markup
  let isShortcut = false
  const target = document.querySelector('[data-here]') ?? document.body
  target.addEventListener('keydown', (event) => {
    isShortcut = isLetterShortcut(event as KeyboardEvent)
  })
  target.dispatchEvent(new KeyboardEvent('keydown', { key: '?', ...more }))
  return isShortcut
}

test.each([
  ['on a button', '<button data-here></button>', {}, true],
  ['with Shift', '<p data-here></p>', { shiftKey: true }, true],
  ['in an input', '<input data-here>', {}, false],
  ['in a text area', '<textarea data-here></textarea>', {}, false],
  ['on a select', '<select data-here></select>', {}, false],
  ['in editable text', '<div contenteditable><b data-here></b></div>', {}, false],
  ['in a dialog', '<div role="dialog"><button data-here></button></div>', {}, false],
  ['with Ctrl', '<p data-here></p>', { ctrlKey: true }, false],
  ['with Cmd', '<p data-here></p>', { metaKey: true }, false],
  ['with Alt', '<p data-here></p>', { altKey: true }, false],
])('whether a letter %s acts as a shortcut', (_where, markup, more, acts) => {
  expect(press(markup, more)).toBe(acts)
})

test('letters do not act after they are switched off, until they are switched on', () => {
  switchLetters(false)
  expect([areLettersOn(), press('<p data-here></p>')]).toEqual([false, false])
  switchLetters(true)
  expect([areLettersOn(), press('<p data-here></p>')]).toEqual([true, true])
  expect(localStorage).toHaveLength(0)
})
