import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stubServer, type Call } from '../../test/kit.tsx'
import { CookieQuestion } from '#layout/cookie-question.tsx'

const TEMPLATES = `
  <template id="cookie-question">${renderToStaticMarkup(<CookieQuestion hash="hash-1" />)}</template>
  ${['essential', 'all']
    .map(
      (choice) =>
        `<template id="toast-${choice}"><div class="toast-g"><div class="toast-message">${choice}</div><button>Close</button><i class="t"></i></div></template>`,
    )
    .join('')}`

let calls: Call[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  sessionStorage.clear()
  calls = stubServer({ 'POST /api/privacy/choices': {} })
  document.body.innerHTML = `<main id="main"></main><button id="before">Before</button>${TEMPLATES}`
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
    expect(calls[0]?.body).toMatchObject({ choice: 'all', switchState: false, gpc: true })
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
