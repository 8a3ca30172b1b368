import { isLetterShortcut } from '#base/letter-shortcuts.ts'

/** The overlay that this key opens: Ctrl+K or Cmd+K, even in a field, or `?`. */
export function overlayOf(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k') return 'search'
  return key === '?' && isLetterShortcut(event) ? 'shortcuts' : null
}

export type Overlay = NonNullable<ReturnType<typeof overlayOf>>
