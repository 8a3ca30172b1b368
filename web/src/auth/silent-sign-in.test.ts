import { afterEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback, signInAs } from '../../test/kit.tsx'
import { isSameSite, signInSilently } from './silent-sign-in.ts'

describe('with a provider on another site', () => {
  afterEach(clearFeedback)

  const ask = async (init: RequestInit) => {
    const manager = await signInAs(null)
    const redirect = vi.spyOn(manager, 'signinRedirect').mockResolvedValue()
    const user = await signInSilently(new Request(`${window.location.origin}/desk?a=1`, init))
    return { user, redirect, asked: sessionStorage.getItem('silentSignIn') }
  }

  test('with a cross-site provider the tab redirects with prompt none and returns to the requested page', async () => {
    const { redirect, asked } = await ask({})
    expect(redirect.mock.calls[0]?.[0]).toMatchObject({
      prompt: 'none',
      redirect_uri: `${window.location.origin}/signin-callback?returnUrl=%2Fdesk%3Fa%3D1`,
      state: { isQuiet: true },
    })
    expect(asked).not.toBeNull()
  })

  test.each([
    ['submitting', { method: 'POST' }],
    ['navigating away', { signal: AbortSignal.abort() }],
  ])(
    'silent sign-in does not redirect a visitor %s, and can be tried later',
    async (_who, init) => {
      const { user, redirect, asked } = await ask(init)
      expect(user).toBeNull()
      expect(redirect).not.toHaveBeenCalled()
      expect(asked).toBeNull()
    },
  )
})

describe('isSameSite', () => {
  test.each([
    ['http://localhost:8080', 'http://localhost:8280'],
    ['https://example.com', 'https://example.com:8443'],
    ['https://example.com', 'https://id.example.com'],
    ['https://www.example.co.uk', 'https://id.www.example.co.uk'],
    ['https://portal.example.com', 'https://example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8280'],
  ])('%s and %s are same-site', (one, other) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(true)
  })

  test.each([
    ['another name', 'https://example.com', 'https://provider.test'],
    ['a name that only ends alike', 'https://example.com', 'https://myexample.com'],
    ['another scheme', 'http://example.com', 'https://example.com'],
    ['one address, two names', 'http://127.0.0.1:8080', 'http://localhost:8280'],
    ['two customers of one suffix', 'https://acme.github.io', 'https://id.github.io'],
    ['two firms of one country', 'https://acme.co.uk', 'https://id.co.uk'],
    ['neighbours, which only the suffix list knows', 'https://www.a.com', 'https://id.a.com'],
    ['names beneath localhost', 'http://localhost', 'http://id.localhost'],
  ])('URLs are treated as cross-site: %s', (_why, one, other) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(false)
    expect(isSameSite(new URL(other), new URL(one))).toBe(false)
  })
})
