import { STORAGE_KEYS } from '@gatehouse/model'
import { local } from './storage.ts'

const FIELDS = 'input, textarea, select, [contenteditable], [role="dialog"]'

/** WCAG 2.1.4: shortcuts of one letter can be switched off. */
export const areLettersOn = () => local.get(STORAGE_KEYS.lettersOff) === null

export function switchLetters(isOn: boolean) {
  if (isOn) local.remove(STORAGE_KEYS.lettersOff)
  else local.set(STORAGE_KEYS.lettersOff, 'true')
}

/** Whether a letter may act: not typed into a field or a dialog, without modifiers but Shift, and not switched off. */
export const isLetterShortcut = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest(FIELDS)) &&
  areLettersOn()
