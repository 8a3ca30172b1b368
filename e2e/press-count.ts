import type { Page } from '@playwright/test'

/** Counts trusted clicks and keys in the page, except text typed into a field; a chord is one key. */
export function countPresses() {
  let presses = 0
  const TEXT = 'input, textarea, [contenteditable]'
  const count = (isCounted: boolean) => {
    if (isCounted) presses++
    Object.assign(window, { presses })
  }
  count(false)
  document.addEventListener(
    'keydown',
    ({ isTrusted, key, ctrlKey, metaKey, altKey, target }) => {
      const isModifier = ['Control', 'Meta', 'Alt', 'Shift'].includes(key)
      const isText =
        key.length === 1 &&
        !(ctrlKey || metaKey || altKey) &&
        target instanceof Element &&
        target.closest(TEXT) !== null
      count(isTrusted && !isModifier && !isText)
    },
    { capture: true },
  )
  // A click by key has no detail, and its key is counted.
  document.addEventListener('click', ({ isTrusted, detail }) => count(isTrusted && detail > 0), {
    capture: true,
  })
}

export const presses = (page: Page) => page.evaluate(() => Reflect.get(window, 'presses') as number)
