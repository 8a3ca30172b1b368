import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stubServer, type Call } from '../../test/kit.tsx'
import { CookieQuestion } from '#layout/cookie-question.tsx'

const QUESTION = renderToStaticMarkup(<CookieQuestion hash="hash-1" />)
const TOASTS = `${['essential', 'all']
  .map(
    (choice) =>
      `<template id="toast-${choice}"><div class="toast-g"><div class="toast-message">${choice}</div><button>Close</button><i class="t"></i></div></template>`,
  )
  .join('')}`
/** A document of a site with these settings. */
const documentWith = (attributes = '') =>
  `<main id="main"></main><button id="before">Before</button>
  <template id="cookie-question">${QUESTION.replace('<section ', `<section ${attributes} `)}</template>${TOASTS}`

let calls: Call[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  sessionStorage.clear()
  localStorage.clear()
  calls = stubServer({ 'POST /api/privacy/choices': {} })
  document.body.innerHTML = documentWith()
})
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'globalPrivacyControl')
  document.body.replaceChildren()
})

const load = () => import('./consent.ts')
const question = () => document.querySelector<HTMLElement>('[role="dialog"]')
const analytics = () => document.querySelector<HTMLInputElement>('#cookie-analytics')
const stored = () => sessionStorage.getItem('cookieConsent')
const toast = () => document.querySelector('.toasts .toast-message')?.textContent
const press = (choice: string) =>
  document.querySelector<HTMLElement>(`[data-choice="${choice}"]`)?.click()
const escape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))

async function open() {
  const consent = await load()
  consent.promptLater()
  vi.advanceTimersByTime(1500)
  return consent
}

describe('the cookie dialog', () => {
  test('[COOKIE-01] the cookie dialog opens 1.5 s after load, not before', async () => {
    const { promptLater } = await load()
    promptLater()
    vi.advanceTimersByTime(1499)
    expect(question()).toBeNull()
    vi.advanceTimersByTime(1)
    expect(question()).not.toBeNull()
    expect(analytics()?.checked).toBe(true)
  })

  test.each(['essential', 'all'])(
    '[COOKIE-03] the cookie dialog does not open after choice %s',
    async (choice) => {
      sessionStorage.setItem('cookieConsent', choice)
      await open()
      expect(question()).toBeNull()
    },
  )

  test('an unknown stored value does not count as a cookie choice', async () => {
    sessionStorage.setItem('cookieConsent', 'yes')
    await open()
    expect(question()).not.toBeNull()
  })

  test('[COOKIE-02] Global Privacy Control turns the Analytics switch off by default', async () => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true, configurable: true })
    await open()
    expect(analytics()?.checked).toBe(false)
    expect(analytics()?.getAttribute('aria-checked')).toBe('false')
    press('all')
    await vi.runAllTimersAsync()
    expect(calls[0]?.body).toMatchObject({ choice: 'all', switchState: true, gpc: true })
  })

  test('[COOKIE-02] Esc stores no choice; the next page does not ask, "Cookie settings" does', async () => {
    await open()
    escape()
    expect(question()).toBeNull()
    expect(stored()).toBeNull()
    expect(calls).toEqual([])
    vi.resetModules()
    const { promptConsent } = await open()
    expect(question()).toBeNull()
    promptConsent()
    expect(question()).toBe(document.activeElement)
  })

  test('Esc closes a menu above the cookie dialog, not the dialog', async () => {
    await open()
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>')
    escape()
    expect(question()).not.toBeNull()
  })
})

describe('a cookie choice', () => {
  test.each(['essential', 'all'] as const)(
    '[COOKIE-03] [COOKIE-04] cookie choice %s is stored, proved once and announced',
    async (choice) => {
      await open()
      press(choice)
      expect(stored()).toBe(choice)
      expect(question()).toBeNull()
      expect(toast()).toBe(choice)
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({
        method: 'POST',
        url: '/api/privacy/choices',
        body: { choice, switchState: true, dialogHash: 'hash-1', gpc: false },
      })
      vi.advanceTimersByTime(4000)
      expect(toast()).toBeUndefined()
    },
  )

  test('two clicks in one tick store one cookie choice', async () => {
    await open()
    const both = [...document.querySelectorAll<HTMLElement>('[data-choice]')]
    for (const button of both) button.click()
    expect(stored()).toBe('essential')
    await vi.runAllTimersAsync()
    expect(calls).toHaveLength(1)
  })

  test('the focus returns from the cookie dialog to where it was, otherwise to main', async () => {
    const { promptConsent } = await load()
    const before = document.getElementById('before')
    before?.focus()
    promptConsent()
    press('all')
    expect(document.activeElement).toBe(before)
    vi.resetModules()
    sessionStorage.clear()
    before?.blur()
    await open()
    document.querySelector<HTMLElement>('[data-choice="essential"]')?.focus()
    press('essential')
    expect(document.activeElement?.id).toBe('main')
  })

  test('the running app announces the cookie choice and follows the dialog’s link', async () => {
    const { handConsentOver } = await open()
    const app = {
      announce: vi.fn<(choice: string) => void>(),
      follow: vi.fn<(href: string) => void>(),
    }
    handConsentOver(app)
    document.querySelector<HTMLElement>('.cookie a')?.click()
    expect(app.follow).toHaveBeenCalledExactlyOnceWith('/privacy#cookies')
    press('all')
    expect(app.announce).toHaveBeenCalledExactlyOnceWith('all')
    expect(toast()).toBeUndefined()
  })
})

test.each([
  ['all', true],
  ['essential', false],
])(
  'the proof of choice %s says that the switch is on: %s, after it was turned off',
  async (choice, isOn) => {
    await open()
    analytics()?.click()
    press(choice)
    expect(calls[0]?.body).toMatchObject({ choice, switchState: isOn })
  },
)

describe('the setting consent.dialog', () => {
  test('when-needed: the cookie dialog opens from “Cookie settings” only', async () => {
    document.body.innerHTML = documentWith('data-prompt="never"')
    const { promptConsent, readConsentAnew } = await open()
    readConsentAnew()
    vi.advanceTimersByTime(5000)
    expect(question()).toBeNull()
    promptConsent()
    expect(question()).not.toBeNull()
    press('all')
    expect(stored()).toBe('all')
  })

  test.each([
    ['always', false, false],
    ['when-needed', false, true],
    ['when-needed', true, false],
  ] as const)(
    'the dialog %s, with analytics %s: no prompt is %s',
    async (dialog, enabled, isSilent) => {
      const { analytics: counted, consent } = await import('#base/site.ts')
      const { CookieQuestion: Question } = await import('#layout/cookie-question.tsx')
      Object.assign(consent, { dialog })
      Object.assign(counted, { enabled })
      const html = renderToStaticMarkup(<Question hash="" />)
      Object.assign(consent, { dialog: undefined })
      Object.assign(counted, { enabled: false })
      expect(html.includes('data-prompt="never"')).toBe(isSilent)
    },
  )
})

describe('the setting consent.keep', () => {
  const kept = () => localStorage.getItem('cookieConsentKept')
  const YEAR_MS = 365 * 24 * 3600 * 1000

  test('tab: nothing is stored in local storage, and an entry of before is removed', async () => {
    localStorage.setItem('cookieConsentKept', `all ${Date.now() + YEAR_MS}`)
    await open()
    expect(kept()).toBeNull()
    press('all')
    expect(localStorage).toHaveLength(0)
  })

  test.each(['essential', 'all'])(
    'browser: choice %s is copied into a new tab for 12 months',
    async (choice) => {
      document.body.innerHTML = documentWith('data-keep="browser"')
      await open()
      press(choice)
      expect(stored()).toBe(choice)
      expect(kept()).toBe(`${choice} ${Date.now() + YEAR_MS}`)
      sessionStorage.clear()
      vi.resetModules()
      vi.setSystemTime(Date.now() + YEAR_MS - 2000)
      await open()
      expect(question()).toBeNull()
      expect(stored()).toBe(choice)
      sessionStorage.clear()
      vi.resetModules()
      vi.setSystemTime(Date.now() + 2000)
      await open()
      expect(question()).not.toBeNull()
      expect(kept()).toBeNull()
    },
  )

  test('browser: a choice of another tab replaces this one’s', async () => {
    document.body.innerHTML = documentWith('data-keep="browser"')
    sessionStorage.setItem('cookieConsent', 'all')
    localStorage.setItem('cookieConsentKept', `essential ${Date.now() + YEAR_MS}`)
    await open()
    expect(stored()).toBe('essential')
  })

  test.each(['all', 'all soon', 'yes 9999999999999', '9999999999999'])(
    'browser: “%s” in local storage does not count as a choice',
    async (text) => {
      document.body.innerHTML = documentWith('data-keep="browser"')
      localStorage.setItem('cookieConsentKept', text)
      await open()
      expect(question()).not.toBeNull()
    },
  )
})

describe('back from the back/forward cache', () => {
  test('a page from the back/forward cache closes the cookie dialog if another page stored a choice', async () => {
    const { readConsentAnew } = await open()
    sessionStorage.setItem('cookieConsent', 'all')
    readConsentAnew()
    expect(question()).toBeNull()
    expect(calls).toEqual([])
  })

  test('a page from the back/forward cache opens the cookie dialog if no choice is stored', async () => {
    sessionStorage.setItem('cookieConsent', 'all')
    const { readConsentAnew } = await open()
    sessionStorage.clear()
    readConsentAnew()
    vi.advanceTimersByTime(1500)
    expect(question()).not.toBeNull()
  })
})
