import { local } from '#base/storage.ts'
import { siteMessages } from '#messages/site.ts'

export const THEME_MODES = ['light', 'dark', 'system'] as const
export type ThemeMode = (typeof THEME_MODES)[number]

const KEY = 'themeMode'

/** Follows the system in mode `system`, and changes in other tabs. public/theme.js sets the theme before the first paint. */
export function watchTheme() {
  applyTheme()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
  window.addEventListener('storage', applyTheme)
}

export function switchTheme() {
  local.set(KEY, nextMode(readMode()))
  applyTheme()
}

export function applyTheme() {
  const mode = readMode()
  const isDark =
    mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const { dataset } = document.documentElement
  const theme = isDark ? 'dark' : 'light'
  if (dataset['bsTheme'] !== theme) dataset['bsTheme'] = theme
  dataset['themeMode'] = mode
  nameButton(document.querySelector<HTMLElement>('#theme'))
}

/** Sets the button's name; its icon is chosen by the styles. Also a ref callback: React renders the button for mode `system`. */
export function nameButton(button: HTMLElement | null) {
  if (!button) return
  const name = themeButtonName(readMode())
  button.setAttribute('aria-label', name)
  button.title = name
}

export const themeButtonName = (mode: ThemeMode) =>
  siteMessages.themeButton(siteMessages.themeModes[mode], siteMessages.themeModes[nextMode(mode)])

/** The mode that `switchTheme` would set. */
export const nextThemeName = () => siteMessages.themeModes[nextMode(readMode())]

const nextMode = (mode: ThemeMode): ThemeMode =>
  THEME_MODES[(THEME_MODES.indexOf(mode) + 1) % THEME_MODES.length] ?? 'light'

function readMode(): ThemeMode {
  const stored = local.get(KEY)
  return THEME_MODES.find((mode) => mode === stored) ?? 'system'
}
