import type { BrowserContext, Page } from '@playwright/test'
import {
  endProviderSession,
  expect,
  navigate,
  keycloakAdmin,
  openAndSignIn,
  REALM,
  signIn,
  startApp,
  SITE,
  storedUser,
  test,
  unique,
} from './kit.ts'

const ATTEMPT_KEY = 'silentSignIn'
const SHOWN_WITHIN_MS = 1500
const TABS_MAX = 10

const isAuthorisation = (url: string) => url.startsWith(`${REALM}/protocol/openid-connect/auth?`)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })

/** A new tab that records its requests to the provider and every URL it shows, however briefly. */
async function newTab(context: BrowserContext) {
  const tab = await context.newPage()
  const providerRequests: URL[] = []
  tab.on('request', (request) => {
    if (isAuthorisation(request.url())) providerRequests.push(new URL(request.url()))
  })
  const shown: string[] = []
  tab.on('framenavigated', (frame) => {
    if (frame === tab.mainFrame()) shown.push(new URL(frame.url()).pathname)
  })
  return { tab, asked: providerRequests, shown }
}

test.describe('with a live session at the provider', () => {
  test('a new tab shows the requested page with its query and hash, never /login', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    const { tab, asked, shown } = await newTab(context)
    await tab.goto('/tickets?sort=-number#main')
    await expect(heading(tab)).toHaveText('Tickets')
    await expect(logout(tab)).toBeVisible()
    expect(await tab.evaluate(() => window.location.href)).toBe(`${SITE}/tickets?sort=-number#main`)
    expect(shown).not.toContain('/login')
    expect(asked.map(({ searchParams }) => searchParams.get('prompt'))).toEqual(['none'])
    expect(asked[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    expect((await storedUser(tab))?.profile.preferred_username).toBe(user.username)
    await expect(tab.getByText('Welcome back!')).toHaveCount(0)
    expect(await tab.evaluate(() => window.history.length)).toBeLessThanOrEqual(2)
    // After signing in, silent sign-in may be retried.
    expect(await tab.evaluate((key) => sessionStorage.getItem(key), ATTEMPT_KEY)).toBeNull()
  })

  test('a new tab shows the requested page within 1.5 s', async ({ page, context, user }) => {
    await openAndSignIn(page, user)
    const times: number[] = []
    // Retries: a busy machine delays the page, one undisturbed tab suffices.
    while (times.length < TABS_MAX && !times.some((ms) => ms <= SHOWN_WITHIN_MS)) {
      const { tab, shown } = await newTab(context)
      const start = Date.now()
      await tab.goto('/requests', { waitUntil: 'commit' })
      await expect(heading(tab)).toHaveText('My requests')
      times.push(Date.now() - start)
      expect(shown).not.toContain('/login')
      await tab.close()
    }
    expect(Math.min(...times)).toBeLessThanOrEqual(SHOWN_WITHIN_MS)
  })

  test('the header shows Loading, not Login, during a silent sign-in', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    const { tab, shown } = await newTab(context)
    await tab.route('**/protocol/openid-connect/auth?**', async (route) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 3_000)
      })
      await route.continue()
    })
    await tab.goto('/contact')
    await startApp(tab)
    await navigate(tab, '/requests')
    await expect(tab.getByRole('banner').locator('.account').getByText('Loading')).toBeVisible()
    await expect(tab.getByRole('main').getByRole('status')).toHaveText('Loading view...')
    await expect(tab.getByRole('button', { name: 'Login' })).toHaveCount(0)
    await expect(heading(tab)).toHaveText('My requests')
    expect(shown).not.toContain('/login')
  })

  test('Ctrl+click on a record opens it in a signed-in tab', async ({ page, context, admin }) => {
    await openAndSignIn(page, admin)
    await page.goto('/organisations')
    const link = page.locator('.c-main a').first()
    const name = (await link.textContent()) ?? ''
    const opening = context.waitForEvent('page')
    await link.click({ modifiers: ['Control'] })
    const tab = await opening
    await expect(heading(tab)).toContainText(name.trim())
    await expect(logout(tab)).toBeVisible()
  })

  test('a mail’s link opens its request, signed in', async ({ page, context, user }) => {
    await openAndSignIn(page, user)
    const subject = unique('From a mail')
    const token = (await storedUser(page))?.access_token
    const created = await page.request.post('/api/tickets', {
      headers: { authorization: `Bearer ${token}` },
      data: {
        fullName: 'Una User',
        email: 'una@client.example',
        subject,
        contactType: 'Query',
        message: 'Please look.',
      },
    })
    expect(created.status()).toBe(201)
    const { id } = (await created.json()) as { id: string }
    const { tab, shown } = await newTab(context)
    await tab.goto(`/requests/${id}`)
    await expect(heading(tab)).toHaveText(subject)
    expect(shown).not.toContain('/login')
  })

  test('a silent sign-in uses the provider’s user: a non-admin is redirected to /unauthorised', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    const { tab, shown } = await newTab(context)
    await tab.goto('/desk')
    await expect(tab).toHaveURL('/unauthorised')
    await expect(tab.getByText('401 - Unauthorized')).toBeVisible()
    expect(shown).not.toContain('/login')
  })

  test('public pages neither contact the provider nor load the sign-in client', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    const { tab } = await newTab(context)
    const requests: string[] = []
    tab.on('request', (request) => requests.push(request.url()))
    for (const path of ['/', '/contact', '/privacy', '/msp/services', '/security']) {
      await tab.goto(path)
      await expect(heading(tab)).toBeVisible()
      await expect(tab.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
      await tab.waitForLoadState('networkidle')
    }
    // Public lists don't either.
    await tab.goto('/services')
    await expect(heading(tab)).toHaveText('Services')
    await tab.waitForLoadState('networkidle')
    expect(requests.filter((url) => new URL(url).origin !== SITE)).toEqual([])
    const onPages = requests.slice(0, requests.indexOf(`${SITE}/services`))
    expect(
      onPages.filter((url) => /sign-in-client|start-auth|oidc-client|config\.json/.test(url)),
    ).toEqual([])
  })

  test('navigating away during a silent sign-in shows the new page', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    const { tab } = await newTab(context)
    await tab.goto('/contact')
    await tab.route('**/protocol/openid-connect/auth?**', () => {})
    await tab.goto('/requests')
    await expect(tab.getByText('Loading view...')).toBeVisible()
    await tab.goBack()
    await expect(heading(tab)).toHaveText('Contact')
    await tab.waitForTimeout(500)
    await expect(tab).toHaveURL('/contact')
  })

  test('after signing out, the tab’s next guarded page does not sign in silently', async ({
    page,
    user,
  }) => {
    await openAndSignIn(page, user, '/profile')
    // The provider is unreachable, so its session remains active.
    await page.route('**/protocol/openid-connect/logout**', (route) => route.abort())
    await page.route('**/protocol/openid-connect/revoke', (route) => route.abort())
    await logout(page).click()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
    await page.goto('/requests')
    await expect(page).toHaveURL('/login?returnUrl=%2Frequests')
  })
})

test.describe('without a session at the provider', () => {
  test('[PERM-03] silent sign-in is tried once per tab, then guards redirect to /login until the user signs in', async ({
    context,
    user,
  }) => {
    const { tab, asked } = await newTab(context)
    await tab.goto('/requests?x=1')
    await expect(tab).toHaveURL('/login?returnUrl=%2Frequests%3Fx%3D1')
    await expect(tab.getByRole('alert')).toHaveCount(0)
    expect(asked.map(({ searchParams }) => searchParams.get('prompt'))).toEqual(['none'])
    for (const path of ['/tickets', '/desk']) {
      await tab.goto(path)
      await expect(tab).toHaveURL(`/login?returnUrl=${encodeURIComponent(path)}`)
    }
    expect(asked).toHaveLength(1)
    await signIn(tab, user)
    await expect(tab).toHaveURL('/unauthorised')
    expect(await tab.evaluate((key) => sessionStorage.getItem(key), ATTEMPT_KEY)).toBeNull()
  })

  test('a session ended at the provider redirects to /login with the requested page', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user)
    await endProviderSession(page)
    const { tab } = await newTab(context)
    await tab.goto('/requests')
    await expect(tab).toHaveURL('/login?returnUrl=%2Frequests')
  })

  test('[AUTH-14] a provider that does not respond within 10 s redirects to /login', async ({
    context,
  }) => {
    const { tab } = await newTab(context)
    await tab.route('**/protocol/openid-connect/auth?**', () => {})
    const start = Date.now()
    await tab.goto('/requests')
    await tab.waitForURL('/login?returnUrl=%2Frequests', { timeout: 20_000 })
    const took = Date.now() - start
    expect(took).toBeGreaterThan(9_500)
    expect(took).toBeLessThan(14_000)
  })

  test('an unreachable provider redirects to /login immediately, where Sign In says why', async ({
    context,
  }) => {
    const { tab } = await newTab(context)
    await tab.route(`${REALM}/**`, (route) => route.abort())
    await tab.goto('/requests')
    await expect(tab).toHaveURL('/login?returnUrl=%2Frequests', { timeout: 5_000 })
    await tab.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    await expect(tab.getByRole('alert')).toContainText('Sign-in failed')
  })

  test('with blocked storage guards redirect to /login immediately, without contacting the provider', async ({
    context,
  }) => {
    const { tab, asked } = await newTab(context)
    await tab.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    })
    await tab.goto('/requests')
    await expect(tab).toHaveURL('/login?returnUrl=%2Frequests')
    expect(asked).toEqual([])
  })
})

test.describe('with the provider on another site', () => {
  /** The same stack under a cross-site name: its iframes get no provider cookies. */
  const OTHER = SITE.replace('localhost', '127.0.0.1')
  test.skip(OTHER === SITE, 'needs the stack of this machine')

  test.beforeAll(async () => {
    const { json } = await keycloakAdmin('GET', '/clients?clientId=gatehouse-web')
    const [client] = json as { id: string; redirectUris: string[]; webOrigins: string[] }[]
    if (!client) throw new Error('Client gatehouse-web not found')
    const redirectUris = [...new Set([...client.redirectUris, `${OTHER}/signin-callback*`])]
    const webOrigins = [...new Set([...client.webOrigins, OTHER])]
    const change = { ...client, redirectUris, webOrigins }
    // Two workers may do so at once; Keycloak rejects one of them with 409.
    await expect
      .poll(async () => (await keycloakAdmin('PUT', `/clients/${client.id}`, change)).status)
      .toBe(204)
  })

  test('with a cross-site provider the tab redirects and returns to the requested page, without a welcome toast', async ({
    page,
    context,
    user,
  }) => {
    await openAndSignIn(page, user, `${OTHER}/`)
    const { tab, asked, shown } = await newTab(context)
    await tab.goto(`${OTHER}/tickets?sort=-number#main`)
    await expect(heading(tab)).toHaveText('Tickets')
    await expect(logout(tab)).toBeVisible()
    expect(tab.url()).toBe(`${OTHER}/tickets?sort=-number#main`)
    expect(shown).not.toContain('/login')
    expect(asked.map(({ searchParams }) => searchParams.get('prompt'))).toEqual(['none'])
    expect(asked[0]?.searchParams.get('redirect_uri')).toContain(`${OTHER}/signin-callback`)
    await expect(tab.getByText('Welcome back!')).toHaveCount(0)
    // Neither provider nor callback is in the history.
    expect(await tab.evaluate(() => window.history.length)).toBeLessThanOrEqual(2)
    // An iframe without a session does not sign out.
    await tab.waitForTimeout(4000)
    await expect(logout(tab)).toBeVisible()
  })

  test('[PERM-03] a provider without a session redirects to /login once, without an error', async ({
    context,
  }) => {
    const { tab, asked } = await newTab(context)
    await tab.goto(`${OTHER}/requests?x=1`)
    await expect(tab).toHaveURL(`${OTHER}/login?returnUrl=%2Frequests%3Fx%3D1`)
    await expect(tab.getByRole('alert')).toHaveCount(0)
    await tab.goto(`${OTHER}/requests`)
    await expect(tab).toHaveURL(`${OTHER}/login?returnUrl=%2Frequests`)
    expect(asked).toHaveLength(1)
  })
})
