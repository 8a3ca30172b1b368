import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildUser, leaveToSignIn, SIGN_IN, signInAs, stubServer } from '../../test/kit.tsx'
import { nameOf, returnUrlOf, safeReturnUrl, signIn, signOut, toVisitor } from './auth.ts'
import { currentUser } from './session.ts'
import { oddPathsOf, trapsFor } from '../../test/open-redirect-cases.ts'
import { startAuth } from './start-auth.ts'

const ORIGIN = window.location.origin

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('validation of a returnUrl', () => {
  const TRAPS = trapsFor(ORIGIN)

  test('[PERM-03] at least sixty open-redirect cases are tested', () => {
    expect(new Set(TRAPS).size).toBeGreaterThanOrEqual(60)
  })

  test.each(TRAPS)('[PERM-03] [AUTH-03] returnUrl %j redirects to the start page', (trap) => {
    expect(safeReturnUrl(trap)).toBe('/')
  })

  test.each(oddPathsOf(ORIGIN))(
    '[PERM-03] [AUTH-03] returnUrl %j stays on this site, even if validated twice',
    (odd) => {
      const path = safeReturnUrl(odd)
      const url = new URL(path, ORIGIN)
      expect(url.origin).toBe(ORIGIN)
      expect(path).toBe(url.pathname + url.search + url.hash)
      expect(path).toMatch(/^\/(?![/\\])/)
      // Validating the result again doesn't change it.
      expect(safeReturnUrl(path)).toBe(path)
    },
  )

  test('[PERM-03] [AUTH-03] a returnUrl of any slashes, dots, schemes and hosts stays on this site', () => {
    const parts = [
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      ' ',
      '?',
      '#',
      'a',
    ]
    const bait = fc.constantFrom(...parts, 'http:', 'javascript:', 'evil.test', ORIGIN, 'login')
    fc.assert(
      fc.property(fc.array(bait, { maxLength: 8 }), (pieces) => {
        const path = safeReturnUrl(pieces.join(''))
        expect(path).toMatch(/^\/(?![/\\])/)
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN)
        expect(safeReturnUrl(path)).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    '/',
    '/services',
    '/services/42',
    '/services?sort=-name&q=a%20b',
    '/services?limit=5#row-3',
    '/edit/a%2Fb',
    '/login-help',
    '/unauthorised',
    '/contact',
  ])('[PERM-03] returnUrl %s is kept', (path) => {
    expect(safeReturnUrl(path)).toBe(path)
  })

  test.each([
    [`${ORIGIN}/services?sort=name`, '/services?sort=name'],
    [`${ORIGIN}/`, '/'],
    [ORIGIN, '/'],
    [`${ORIGIN.toUpperCase()}/services`, '/services'],
  ])(
    '[PERM-03] a returnUrl that is an absolute URL of this site is accepted: %s',
    (address, path) => {
      expect(safeReturnUrl(address)).toBe(path)
    },
  )

  test.each([
    '/login',
    '/login?returnUrl=%2Flogin',
    '/LOGIN',
    '/login/',
    '/%6Cogin',
    '/./login',
    '/x/../login',
    '/signin-callback?code=a&state=b',
    '/signin-callback#code=a&state=b',
    '/signin%2Dcallback',
    '/logout-callback',
    '/silent-renew.html',
    `${ORIGIN}/login`,
  ])('[PERM-03] returnUrl %s, a page of the sign-in flow, becomes the start page', (address) => {
    expect(safeReturnUrl(address)).toBe('/')
  })

  test('[AUTH-03] [AUTH-06] a missing returnUrl becomes the start page', () => {
    expect(safeReturnUrl(null)).toBe('/')
    expect(safeReturnUrl(undefined)).toBe('/')
  })
})

describe('the visitor', () => {
  test('[PERM-01] a signed-out or expired user counts as anonymous', () => {
    expect(toVisitor(null)).toBeNull()
    expect(toVisitor(undefined)).toBeNull()
    expect(toVisitor(buildUser({ role: 'admin' }, { expires_at: 1 }))).toBeNull()
  })

  test.each([
    ['admin', 'admin'],
    ['user', 'user'],
    ['Admin', 'user'],
    ['administrator', 'user'],
    [['admin'], 'user'],
    [true, 'user'],
    [undefined, 'user'],
  ])('[PERM-01] a profile with role %j counts as %s', (role, expected) => {
    expect(toVisitor(buildUser({ role }))?.role).toBe(expected)
  })

  test('[NAV-05] a user is shown by name, otherwise by preferred_username', () => {
    expect(nameOf(buildUser({ name: 'Ann', preferred_username: 'ann' }))).toBe('Ann')
    expect(nameOf(buildUser({ preferred_username: 'ann' }))).toBe('ann')
    expect(nameOf(buildUser({ name: '', preferred_username: 'ann' }))).toBe('ann')
    expect(toVisitor(buildUser({ preferred_username: 'ann' }))?.name).toBe('ann')
  })

  test('[AUTH-07] currentUser returns null for an expired user', async () => {
    const manager = await signInAs('user')
    expect((await currentUser())?.profile.sub).toBe('sub-1')
    await manager.storeUser(buildUser({}, { expires_at: 1 }))
    expect(await currentUser()).toBeNull()
  })

  test('[AUTH-16] a user is stored in session storage only', async () => {
    await signInAs('user')
    expect(JSON.stringify(sessionStorage)).toContain('token-of-the-visitor')
    expect(localStorage).toHaveLength(0)
  })
})

describe('the sign-in client', () => {
  test('[AUTH-01] the sign-in client uses the code flow only, requests openid and stores everything in session storage', async () => {
    const { settings } = startAuth(SIGN_IN)
    expect(settings).toMatchObject({ ...SIGN_IN_SETTINGS, response_type: 'code', scope: 'openid' })
    expect(settings.disablePKCE).toBe(false)
    await settings.stateStore.set('a', 'state')
    await settings.userStore.set('b', 'user')
    expect(Object.values(sessionStorage)).toEqual(expect.arrayContaining(['state', 'user']))
    expect(localStorage).toHaveLength(0)
  })

  test('[AUTH-14] [AUTH-08] the sign-in client uses the timeouts and intervals of the specification', () => {
    expect(startAuth(SIGN_IN).settings).toMatchObject({
      silentRequestTimeoutInSeconds: 10,
      checkSessionIntervalInSeconds: 2,
      staleStateAgeInSeconds: 900,
      popupWindowFeatures: { height: 640 },
      accessTokenExpiringNotificationTimeInSeconds: 60,
      automaticSilentRenew: true,
      silent_redirect_uri: `${ORIGIN}/silent-renew.html`,
      loadUserInfo: true,
      monitorSession: true,
      revokeTokensOnSignout: true,
    })
  })

  const SIGN_IN_SETTINGS = {
    authority: SIGN_IN.authority,
    client_id: SIGN_IN.clientId,
    redirect_uri: `${ORIGIN}/signin-callback`,
    post_logout_redirect_uri: `${ORIGIN}/logout-callback`,
  }

  test('[AUTH-02] Login returns to /signin-callback with the visitor’s page', async () => {
    const redirect = vi.spyOn(startAuth(SIGN_IN), 'signinRedirect').mockResolvedValue()
    await signIn({ returnUrl: '/services?sort=name&q=a b' })
    expect(redirect).toHaveBeenCalledWith(
      expect.objectContaining({
        redirect_uri: `${ORIGIN}/signin-callback?returnUrl=%2Fservices%3Fsort%3Dname%26q%3Da%20b`,
      }),
    )
    expect(redirect.mock.calls[0]?.[0]).not.toHaveProperty('extraQueryParams')
  })

  test.each([
    { prompts: ['none', 'create'], prompt: 'create' },
    { prompts: ['none'], prompt: undefined },
    { prompts: undefined, prompt: undefined },
  ])(
    '[CONTACT-04] Register adds mode register, and prompt $prompt if the provider supports $prompts',
    async (one) => {
      stubServer({
        [`GET ${DISCOVERY}`]: { issuer: SIGN_IN.authority, prompt_values_supported: one.prompts },
      })
      const redirect = vi.spyOn(startAuth(SIGN_IN), 'signinRedirect').mockResolvedValue()
      await signIn({ returnUrl: '/contact', isRegistration: true })
      expect(redirect.mock.calls[0]?.[0]).toMatchObject({ extraQueryParams: { mode: 'register' } })
      expect(redirect.mock.calls[0]?.[0]?.prompt).toBe(one.prompt)
    },
  )

  test('[AUTH-05] Logout returns to /logout-callback with the visitor’s page', async () => {
    const redirect = vi.spyOn(startAuth(SIGN_IN), 'signoutRedirect').mockResolvedValue()
    await signOut('/services/a b')
    expect(redirect).toHaveBeenCalledWith({
      post_logout_redirect_uri: `${ORIGIN}/logout-callback?returnUrl=%2Fservices%2Fa%20b`,
    })
  })
})

const DISCOVERY = `${SIGN_IN.authority}/.well-known/openid-configuration`

function startSignIn(claims: Record<string, unknown> = {}) {
  const calls = stubServer({
    [`GET ${DISCOVERY}`]: {
      issuer: SIGN_IN.authority,
      token_endpoint: `${SIGN_IN.authority}/token`,
      userinfo_endpoint: `${SIGN_IN.authority}/userinfo`,
    },
    [`POST ${SIGN_IN.authority}/token`]: () => ({
      access_token: 'fresh',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: ['{}', claimsOf(claims), ''].map((part) => btoa(part)).join('.'),
    }),
    [`GET ${SIGN_IN.authority}/userinfo`]: { sub: 'sub-1', role: 'admin' },
  })
  const manager = startAuth(SIGN_IN)
  leaveToSignIn()
  return { manager, calls }
}

const claimsOf = (over: Record<string, unknown>) =>
  JSON.stringify({
    sub: 'sub-1',
    iss: SIGN_IN.authority,
    aud: SIGN_IN.clientId,
    exp: 9_999_999_999,
    iat: 1,
    ...over,
  })

describe('the response of the identity provider', () => {
  const CALLBACK = `${ORIGIN}/signin-callback?returnUrl=%2Fservices`

  test.each([
    ['in the query', `${CALLBACK}&code=abc&state=state-1`],
    ['in the hash', `${CALLBACK}#code=abc&state=state-1`],
  ])('[AUTH-09] a code %s is turned into a signed-in user', async (_where, address) => {
    const { manager, calls } = startSignIn()
    const user = await manager.signinCallback(address)
    expect(user?.profile).toMatchObject({ sub: 'sub-1', role: 'admin' })
    expect((await currentUser())?.access_token).toBe('fresh')
    const form = new URLSearchParams(String(calls.find(({ method }) => method === 'POST')?.body))
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'abc',
      code_verifier: 'verifier',
      client_id: SIGN_IN.clientId,
    })
  })

  test('[AUTH-09] without an argument, the page’s own address is read', async () => {
    const { manager } = startSignIn()
    window.history.replaceState(null, '', '/signin-callback?returnUrl=%2F#code=abc&state=state-1')
    expect((await manager.signinCallback())?.profile.sub).toBe('sub-1')
    window.history.replaceState(null, '', '/')
  })

  test.each([
    ['in the query', `${CALLBACK}&error=access_denied&error_description=No&state=state-1`],
    ['in the hash', `${CALLBACK}#error=access_denied&error_description=No&state=state-1`],
  ])(
    '[AUTH-09] [ERR-04] a provider’s error %s is returned with its description',
    async (_where, address) => {
      const { manager } = startSignIn()
      await expect(manager.signinCallback(address)).rejects.toMatchObject({
        error: 'access_denied',
        error_description: 'No',
      })
      expect(await currentUser()).toBeNull()
    },
  )

  test.each([
    ['for someone else', { aud: 'other-client' }, 'client_id mismatch'],
    ['for nobody', { aud: undefined }, 'client_id mismatch'],
    ['by someone else', { iss: 'https://evil.test' }, 'authority mismatch'],
    ['by nobody', { iss: undefined }, 'authority mismatch'],
    ['about nobody', { sub: undefined }, 'ID Token is missing a subject claim'],
  ])('[AUTH-10] [AUTH-12] an ID token made %s is rejected', async (_which, claims, message) => {
    const { manager } = startSignIn(claims)
    await expect(manager.signinCallback(`${CALLBACK}&code=abc&state=state-1`)).rejects.toThrow(
      message,
    )
    expect(await currentUser()).toBeNull()
  })

  test('[AUTH-10] a renewal with another user’s ID token is rejected', async () => {
    const { manager } = startSignIn({ aud: 'other-client' })
    await manager.storeUser(buildUser({}, { refresh_token: 'refresh' }))
    await expect(manager.signinSilent()).rejects.toThrow('client_id mismatch')
    expect(await currentUser()).toBeNull()
  })

  test('[AUTH-10] an ID token with several audiences including ours is accepted', async () => {
    const { manager } = startSignIn({ aud: ['account', SIGN_IN.clientId] })
    const user = await manager.signinCallback(`${CALLBACK}&code=abc&state=state-1`)
    expect(user?.profile.sub).toBe('sub-1')
  })

  test.each([
    ['without a state', `${CALLBACK}&code=abc`, 'No state in response'],
    ['with a strange state', `${CALLBACK}&code=abc&state=x`, 'No matching state found in storage'],
  ])('[AUTH-10] [AUTH-12] a response %s is rejected', async (_which, address, message) => {
    const { manager } = startSignIn()
    await expect(manager.signinCallback(address)).rejects.toThrow(message)
    expect(await currentUser()).toBeNull()
  })

  test('[AUTH-07] a session that ended at the provider ends in the client', async () => {
    const manager = await signInAs('user')
    await manager.events._raiseUserSignedOut()
    await vi.waitFor(async () => expect(await currentUser()).toBeNull())
  })
})

describe('a returnUrl in the OIDC state', () => {
  const back = (state: unknown, query = '') =>
    returnUrlOf(buildUser({}, { userState: state }), new URLSearchParams(query))

  test('[AUTH-03] a returnUrl in the OIDC state is used if the URL has none, with the same validation', () => {
    expect(back({ returnUrl: '/contact?subject=x' })).toBe('/contact?subject=x')
    expect(back({ returnUrl: 'https://evil.test/' })).toBe('/')
    expect(back({ returnUrl: 7 })).toBe('/')
    expect(back(undefined)).toBe('/')
    expect(back({ returnUrl: '/contact' }, 'returnUrl=%2Fprivacy')).toBe('/privacy')
  })
})
