import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { UserManager } from 'oidc-client-ts'
import { AuthProvider } from 'react-oidc-context'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  buildUser,
  clearFeedback,
  leaveToSignIn,
  SIGN_IN,
  signInAs,
  stubServer,
} from '../../../test/kit.tsx'
import { watchInstructions } from '#feedback/instructions.ts'
import { ToastHost } from '#feedback/toasts.tsx'
import { setConfig, type SiteConfig } from '#auth/read-config.ts'
import { SignInCallback, SignOutCallback } from './callbacks.tsx'
import { Login } from './login.tsx'

let stop = () => {}
afterEach(() => {
  stop()
  clearFeedback()
  window.history.replaceState(null, '', '/')
})

async function comeBack(
  address: string,
  {
    isSignedIn = false,
    hasBegun = true,
    claims = {},
    config = SIGN_IN,
    ...state
  }: {
    isSignedIn?: boolean
    hasBegun?: boolean
    claims?: Record<string, unknown>
    config?: SiteConfig
    isQuiet?: boolean
    isRepeated?: boolean
  } = {},
) {
  const userManager = await signInAs(null)
  setConfig(config)
  if (isSignedIn) await userManager.storeUser(buildUser(claims))
  if (hasBegun) leaveToSignIn(state)
  stubServer({})
  window.history.replaceState(null, '', address)
  const router = createBrowserRouter([
    { path: '/signin-callback', Component: SignInCallback },
    { path: '/logout-callback', Component: SignOutCallback },
    { path: '/login', Component: Login },
    {
      path: '/slow',
      loader: () => new Promise((resolve) => setTimeout(resolve, 50, null)),
      element: <h1>slow</h1>,
    },
    { path: '*', element: <h1>elsewhere</h1> },
  ])
  const stopWatching = watchInstructions(router)
  stop = () => {
    stopWatching()
    router.dispose()
  }
  render(
    <AuthProvider
      userManager={userManager}
      skipSigninCallback={!address.startsWith('/signin-callback')}
      matchSignoutCallback={() => address.startsWith('/logout-callback')}
    >
      <RouterProvider router={router} />
      <ToastHost />
    </AuthProvider>,
  )
  return router
}
const toast = () => document.querySelector('.toast-g')
const there = () => window.location.pathname + window.location.search
const failure = () => screen.findByRole('alert')

describe('the sign-in callback', () => {
  test('[AUTH-03] the sign-in callback says so, then redirects to returnUrl with a welcome', async () => {
    await comeBack('/signin-callback?returnUrl=%2Fservices%3Fsort%3Dname', { isSignedIn: true })
    expect(screen.getByText('Completing sign-in...')).toBeDefined()
    await screen.findByRole('heading', { name: 'elsewhere' })
    await waitFor(() => expect(there()).toBe('/services?sort=name'))
    expect(toast()?.textContent).toContain('Welcome back!')
    expect(toast()?.className).toContain('success')
  })

  test.each(['', '?returnUrl=%2F%2Fevil.test', '?returnUrl=https%3A%2F%2Fevil.test%2F'])(
    '[AUTH-03] the sign-in callback with %j redirects to the start page',
    async (query) => {
      await comeBack(`/signin-callback${query}`, { isSignedIn: true })
      await waitFor(() => expect(there()).toBe('/'))
    },
  )

  test('[AUTH-04] [AUTH-11] [ERR-04] a failed sign-in redirects to exactly /login, which shows error and reason', async () => {
    await comeBack(
      '/signin-callback?error=access_denied&error_description=Not%20you&session_state=7&state=state-1',
    )
    const shown = (await failure()).textContent
    expect(shown).toContain('Sign-in failed')
    expect(shown).toContain('error: access_denied')
    expect(shown).toContain('error_description: Not you')
    expect(shown).toContain('session_state: 7')
    expect(there()).toBe('/login')
  })

  test('[AUTH-11] [AUTH-12] a failed sign-in shows the client’s own message too', async () => {
    await comeBack('/signin-callback?code=a&state=unknown')
    expect((await failure()).textContent).toContain('No matching state found in storage')
    expect(there()).toBe('/login')
  })

  test('a tab opened by a mail’s link discards the response and signs in silently once', async () => {
    const leave = vi.spyOn(UserManager.prototype, 'signinRedirect').mockResolvedValue()
    await comeBack('/signin-callback?returnUrl=%2Fservices&code=a&state=of-another-tab', {
      hasBegun: false,
    })
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
    expect(leave.mock.calls[0]?.[0]).toMatchObject({
      prompt: 'none',
      redirect_uri: expect.stringContaining('returnUrl=%2Fservices') as unknown,
      state: { isQuiet: true },
    })
    leave.mockRestore()
  })

  test('a tab opened by a mail’s link takes its returnUrl from the saved draft if the URL has none', async () => {
    const leave = vi.spyOn(UserManager.prototype, 'signinRedirect').mockResolvedValue()
    const carried = { at: Date.now(), returnUrl: '/contact', drafts: {} }
    localStorage.setItem('carriedDraft:id-1', JSON.stringify(carried))
    await comeBack('/signin-callback?code=a&state=of-another-tab%3Bid-1', { hasBegun: false })
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
    expect(leave.mock.calls[0]?.[0]).toMatchObject({
      redirect_uri: expect.stringContaining('returnUrl=%2Fcontact') as unknown,
      url_state: 'id-1',
    })
    localStorage.clear()
    leave.mockRestore()
  })

  test('a sign-in that expired in this tab is restarted once', async () => {
    const leave = vi.spyOn(UserManager.prototype, 'signinRedirect').mockResolvedValue()
    const expired =
      '/signin-callback?returnUrl=%2Fcontact&error=temporarily_unavailable&error_description=authentication_expired&state=state-1'
    await comeBack(expired)
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
    expect(leave.mock.calls[0]?.[0]).toMatchObject({
      redirect_uri: expect.stringContaining('returnUrl=%2Fcontact') as unknown,
      state: { isRepeated: true },
    })
    stop()
    cleanup()
    await comeBack(expired, { isRepeated: true })
    expect((await failure()).textContent).toContain('authentication_expired')
    expect(leave).toHaveBeenCalledTimes(1)
    leave.mockRestore()
  })

  test('an admin who returns without a second factor is redirected to set one up', async () => {
    const leave = vi.spyOn(UserManager.prototype, 'signinRedirect').mockResolvedValue()
    const comeBackAs = (acr: string) =>
      comeBack('/signin-callback?returnUrl=%2Fdesk', {
        isSignedIn: true,
        claims: { role: 'admin', acr },
        config: { ...SIGN_IN, adminMfa: 'on' },
      })
    await comeBackAs('session')
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
    expect(leave.mock.calls[0]?.[0]).toMatchObject({
      acr_values: 'mfa',
      redirect_uri: expect.stringContaining('returnUrl=%2Fdesk') as unknown,
      state: { isRepeated: true },
    })
    stop()
    cleanup()
    await comeBackAs('mfa')
    await waitFor(() => expect(there()).toBe('/desk'))
    expect(leave).toHaveBeenCalledTimes(1)
    leave.mockRestore()
  })

  test('a used response, replayed by the Back button, redirects a signed-in user', async () => {
    await comeBack('/signin-callback?returnUrl=%2Fservices&code=a&state=used', { isSignedIn: true })
    await waitFor(() => expect(there()).toBe('/services'))
    expect(toast()).toBeNull()
  })

  test('[PERM-03] a failed silent sign-in redirects to /login with the requested page and no error', async () => {
    await comeBack(
      '/signin-callback?returnUrl=%2Fservices%3Fsort%3Dname&error=login_required&state=state-1',
      { isQuiet: true },
    )
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(there()).toBe('/login?returnUrl=%2Fservices%3Fsort%3Dname')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('[AUTH-04] the sign-in callback without parameters redirects a signed-out visitor to /login without an error', async () => {
    await comeBack('/signin-callback')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(there()).toBe('/login')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('the sign-out callback', () => {
  test('[AUTH-06] the sign-out callback says so, then redirects to returnUrl and confirms', async () => {
    await comeBack('/logout-callback?returnUrl=%2Fcontact')
    expect(screen.getByText('Completing sign-out...')).toBeDefined()
    await waitFor(() => expect(there()).toBe('/contact'))
    await waitFor(() =>
      expect(toast()?.textContent).toContain("You've been signed out successfully."),
    )
    expect(toast()?.className).toContain('info')
  })

  test.each(['', '?returnUrl=%2F%2Fevil.test'])(
    '[AUTH-06] the sign-out callback with %j redirects to the start page',
    async (query) => {
      await comeBack(`/logout-callback${query}`)
      await waitFor(() => expect(there()).toBe('/'))
    },
  )

  test('the sign-out callback, opened by a link while signed in, does not claim a sign-out', async () => {
    await comeBack('/logout-callback?returnUrl=%2Fcontact', { isSignedIn: true })
    await waitFor(() => expect(there()).toBe('/contact'))
    expect(toast()).toBeNull()
  })

  test('[AUTH-11] [ERR-04] a failed sign-out is not reported as success', async () => {
    await comeBack('/logout-callback?returnUrl=%2Fcontact&error=server_error&error_description=Oh')
    const shown = (await failure()).textContent
    expect(shown).toContain('Sign-out failed')
    expect(shown).toContain('error: server_error')
    expect(shown).toContain('error_description: Oh')
    expect(there()).toBe('/login')
    expect(toast()).toBeNull()
  })
})

describe('the login page', () => {
  test('[ROUTE-03] the login page redirects a signed-in user again if reopened while redirecting', async () => {
    const router = await comeBack('/login?returnUrl=%2Fslow', { isSignedIn: true })
    await waitFor(() => expect(router.state.navigation.location?.pathname).toBe('/slow'))
    await router.navigate('/login?returnUrl=%2Fslow&again')
    await waitFor(() => expect(there()).toBe('/slow'))
  })

  test('[ROUTE-03] the login page never starts a sign-in by itself', async () => {
    await comeBack('/login?returnUrl=%2Fservices')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Register' })).toBeDefined()
    expect(there()).toBe('/login?returnUrl=%2Fservices')
  })

  test.each([
    ['?returnUrl=%2Fservices', '/services'],
    ['', '/'],
    ['?returnUrl=%2Flogin', '/'],
    ['?returnUrl=%2F%2Fevil.test', '/'],
  ])(
    '[ROUTE-03] the login page with %j redirects a signed-in user to %s',
    async (query, expected) => {
      await comeBack(`/login${query}`, { isSignedIn: true })
      await waitFor(() => expect(there()).toBe(expected))
    },
  )

  test('[AUTH-09] a provider’s response on another page is ignored', async () => {
    await comeBack('/login?code=a&state=state-1')
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(sessionStorage.getItem('oidc.state-1')).not.toBeNull()
  })
})
