import { useSyncExternalStore } from 'react'
import { local } from '#base/storage.ts'

const THEME_MODES = ['light', 'dark', 'system'] as const
export type ThemeMode = (typeof THEME_MODES)[number]

const KEY = 'themeMode'
const CHANGED = 'gatehouse:theme'

/** The chosen mode, and the one a press switches to. */
export function useTheme() {
  const mode = useSyncExternalStore(subscribe, readMode, (): ThemeMode => 'system')
  return { mode, next: nextMode(mode), setMode }
}

/** Follows the system while the mode is `system`. public/theme.js sets the theme before first paint. */
export function watchSystemTheme() {
  apply()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
}

const nextMode = (mode: ThemeMode): ThemeMode =>
  THEME_MODES[(THEME_MODES.indexOf(mode) + 1) % THEME_MODES.length] ?? 'light'

function readMode(): ThemeMode {
  const stored = local.get(KEY)
  return THEME_MODES.find((mode) => mode === stored) ?? 'system'
}

function setMode(mode: ThemeMode) {
  local.set(KEY, mode)
  apply()
  window.dispatchEvent(new Event(CHANGED))
}

function apply() {
  const mode = readMode()
  const isDark =
    mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-bs-theme', isDark ? 'dark' : 'light')
}

function subscribe(onChange: () => void) {
  window.addEventListener(CHANGED, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(CHANGED, onChange)
    window.removeEventListener('storage', onChange)
  }
}
