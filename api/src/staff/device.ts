/** Order matters: a user agent also names other browsers. */
const BROWSERS = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const OTHER = 'other'

export const BROWSER_NAMES = [...BROWSERS.map(([name]) => name), OTHER]
export const SYSTEM_NAMES = [...SYSTEMS.map(([name]) => name), OTHER]

/** Browser and system family only: a full user agent would identify its user. */
export const deviceOf = (agent = '') => ({
  browser: BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0] ?? OTHER,
  system: SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0] ?? OTHER,
})
