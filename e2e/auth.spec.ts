import {
  changeStoredUser,
  endProviderSession,
  expect,
  fillKeycloak,
  openAndSignIn,
  REALM,
  register,
  SITE,
  storedUser,
  test,
} from './kit.ts'

test('[AUTH-01] [AUTH-02] [AUTH-03] [NAV-04] [NAV-05] [NAV-06] a visitor signs in and returns to the same page', async ({
  page,
  user,
}) => {
  await page.goto('/contact?subject=Backups')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${REALM}/**`)
  const requested = new URL(page.url()).searchParams
  expect(requested.get('redirect_uri')).toBe(
    `${SITE}/signin-callback?returnUrl=%2Fcontact%3Fsubject%3DBackups`,
  )
  expect(requested.get('response_type')).toBe('code')
  expect(requested.get('code_challenge_method')).toBe('S256')
  expect(requested.get('scope')).toBe('openid')
  expect(requested.get('nonce')).toBeTruthy()
  await fillKeycloak(page, user)
  await expect(page).toHaveURL('/contact?subject=Backups')
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('[AUTH-13] [AUTH-15] [AUTH-16] the token, userinfo, revocation and end-session endpoints are called as the specification says', async ({
  page,
  user,
}) => {
  const calls: {
    method: string
    path: string
    form: URLSearchParams
    authorization: string | undefined
  }[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(REALM)) return
    calls.push({
      method: request.method(),
      path: new URL(request.url()).pathname.replace('/realms/gatehouse', ''),
      form: new URLSearchParams(request.postData() ?? ''),
      authorization: request.headers()['authorization'],
    })
  })
  const find = (path: string) => calls.filter((call) => call.path.endsWith(path))
  await openAndSignIn(page, user, '/profile')

  expect(find('/.well-known/openid-configuration').length).toBeGreaterThan(0)
  const [token] = find('/token')
  expect(token?.method).toBe('POST')
  expect([...(token?.form.keys() ?? [])].toSorted()).toEqual([
    'client_id',
    'code',
    'code_verifier',
    'grant_type',
    'redirect_uri',
  ])
  expect(token?.form.get('grant_type')).toBe('authorization_code')
  await expect
    .poll(() =>
      find('/userinfo').some(
        ({ method, authorization }) => method === 'GET' && authorization?.startsWith('Bearer '),
      ),
    )
    .toBe(true)

  const stored = await storedUser(page)
  expect(stored).toMatchObject({
    token_type: 'Bearer',
    profile: { role: 'user', preferred_username: user.username },
  })
  expect(stored?.profile.sub).toBeTruthy()
  expect(stored?.profile.name).toBeTruthy()
  expect(
    stored?.access_token &&
      stored.refresh_token &&
      stored.id_token &&
      stored.expires_at &&
      stored.scope,
  ).toBeTruthy()
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('oidc'))),
  ).toEqual([])

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText("You've been signed out successfully.")).toBeVisible()
  expect(find('/revoke').length).toBeGreaterThan(0)
  expect(find('/logout').length).toBeGreaterThan(0)
})

test('[AUTH-05] [AUTH-06] signing out returns to the page where Logout was clicked', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, '/contact?subject=x')
  const leaving = page.waitForRequest((request) =>
    request.url().includes('/protocol/openid-connect/logout'),
  )
  await page.getByRole('button', { name: 'Logout' }).click()
  const requested = new URL((await leaving).url()).searchParams
  expect(requested.get('post_logout_redirect_uri')).toBe(
    `${SITE}/logout-callback?returnUrl=%2Fcontact`,
  )
  await expect(page).toHaveURL('/contact')
  await expect(page.getByText("You've been signed out successfully.")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('[AUTH-03] [AUTH-06] the callback pages show their progress', async ({ page }) => {
  // Records every heading the page shows, however briefly.
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seen })
    new MutationObserver(() => {
      for (const heading of document.querySelectorAll('h1')) seen.add(heading.textContent ?? '')
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  const headings = () => page.evaluate(() => [...(Reflect.get(window, 'seen') as Set<string>)])
  await page.goto('/logout-callback')
  await expect(page).toHaveURL('/')
  expect(await headings()).toContain('Completing sign-out...')
  await page.goto('/signin-callback?code=stolen&state=forged')
  await expect(page).toHaveURL('/login')
  expect(await headings()).toContain('Completing sign-in...')
})

test('[AUTH-02] on /login, Login returns to that page’s own returnUrl', async ({ page }) => {
  await page.goto('/login?returnUrl=%2Fprofile')
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(`${REALM}/**`)
  expect(new URL(page.url()).searchParams.get('redirect_uri')).toBe(
    `${SITE}/signin-callback?returnUrl=%2Fprofile`,
  )
})

test('a visitor registers with mode register and prompt create, and is a user', async ({
  page,
}) => {
  await page.goto('/login?returnUrl=%2Fcontact')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(`${REALM}/**`)
  await page.locator('#kc-register-form').waitFor()
  const name = `reg${crypto.randomUUID().slice(0, 8)}`
  await register(page, { username: name, email: `${name}@example.test`, lastName: 'New' })
  await expect(page).toHaveURL('/contact')
  await expect(page.getByRole('link', { name: 'Nora New' })).toBeVisible()
  expect((await storedUser(page))?.profile.role).toBe('user')
})

test('[CONTACT-04] registering asks the provider for mode=register and prompt=create', async ({
  page,
}) => {
  const requested = page.waitForRequest((request) =>
    request.url().includes('/protocol/openid-connect/auth'),
  )
  await page.goto('/login')
  await page.getByRole('button', { name: 'Register' }).click()
  const query = new URL((await requested).url()).searchParams
  expect(query.get('mode')).toBe('register')
  expect(query.get('prompt')).toBe('create')
})

test('[AUTH-08] the access token is renewed by refresh token before it expires, and by the iframe without one', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, '/profile')
  const first = await storedUser(page)
  // Renewal starts 60 s before expiry: a token with 62 s left is renewed after 2 s.
  const renewal = page.waitForRequest(
    (request) =>
      request.url().endsWith('/token') && (request.postData() ?? '').includes('refresh_token'),
  )
  await changeStoredUser(page, { expiresIn: 62 })
  await page.reload()
  await renewal
  await expect
    .poll(async () => (await storedUser(page))?.access_token)
    .not.toBe(first?.access_token)
  const second = await storedUser(page)
  expect(second?.refresh_token).not.toBe(first?.refresh_token)

  const frame = page.waitForRequest((request) => request.url().includes('/silent-renew.html'))
  await changeStoredUser(page, { expiresIn: 62, hasRefreshToken: false })
  await page.reload()
  await frame
  await expect
    .poll(async () => (await storedUser(page))?.access_token, { timeout: 20_000 })
    .not.toBe(second?.access_token)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('[AUTH-07] [PERM-03] a user whose token has expired and can’t be renewed is not signed in', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, '/profile')
  await page.route('**/protocol/openid-connect/token', (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'Session not active' },
    }),
  )
  await page.route('**/protocol/openid-connect/auth?**', (route) => route.abort())
  await changeStoredUser(page, { expiresIn: -10 })
  await page.goto('/tickets')
  await expect(page).toHaveURL('/login?returnUrl=%2Ftickets')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('[AUTH-14] signing out in one tab signs out the other', async ({ page, context, user }) => {
  await openAndSignIn(page, user, '/profile')
  const other = await context.newPage()
  await other.goto('/contact')
  await other.getByRole('button', { name: 'Login' }).click()
  // The provider's session is active: no password needed.
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible()
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible({ timeout: 15_000 })
  expect(await storedUser(page)).toBeNull()
})

test('[AUTH-04] [AUTH-10] [AUTH-11] [AUTH-12] a response with an unknown state is rejected, and /login says so', async ({
  page,
}) => {
  await page.goto('/signin-callback?code=stolen&state=forged&returnUrl=%2Fcontact')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Sign-in failed')).toBeVisible()
  await page.getByText('Technical details').click()
  await expect(page.getByText('No matching state found in storage')).toBeVisible()
})

test('[AUTH-09] [AUTH-12] a response in the hash is handled like one in the query', async ({
  page,
}) => {
  await page.goto('/signin-callback#code=stolen&state=forged')
  await expect(page).toHaveURL('/login')
  await page.getByText('Technical details').click()
  await expect(page.getByText('No matching state found in storage')).toBeVisible()
})

test('[AUTH-09] a URL that looks like a provider’s response is ignored on other pages', async ({
  page,
  complaints,
}) => {
  await page.goto('/contact?code=stolen&state=forged')
  await expect(page.getByRole('heading', { name: 'Contact' })).toBeVisible()
  await expect(page).toHaveURL('/contact?code=stolen&state=forged')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('[AUTH-10] a response with a tampered state is rejected', async ({ page, user }) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${REALM}/**`)
  const address = new URL(page.url())
  address.searchParams.set('state', 'tampered')
  await page.goto(address.href)
  await fillKeycloak(page, user)
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Sign-in failed')).toBeVisible()
  expect(await storedUser(page)).toBeNull()
})

test('[ERR-04] a provider’s error is shown with its description and session state', async ({
  page,
}) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${REALM}/**`)
  const state = new URL(page.url()).searchParams.get('state')
  await page.goto(
    `/signin-callback?error=access_denied&error_description=The+person+said+no&session_state=abc123&state=${state}`,
  )
  await expect(page).toHaveURL('/login')
  await page.getByText('Technical details').click()
  for (const words of ['access_denied', 'The person said no', 'abc123'])
    await expect(page.getByText(words).first()).toBeVisible()
})

test('[AUTH-04] /signin-callback without parameters redirects to exactly /login', async ({
  page,
}) => {
  await page.goto('/signin-callback')
  await expect(page).toHaveURL('/login')
})

const RENEWALS = [
  { by: 'iframe', hasRefreshToken: false, url: '/protocol/openid-connect/auth?' },
  { by: 'refresh token', hasRefreshToken: true, url: '/protocol/openid-connect/token' },
] as const
for (const { by, hasRefreshToken, url } of RENEWALS)
  test(`[AUTH-11] a silent renewal by ${by} that times out is retried after 5 seconds`, async ({
    page,
    user,
  }) => {
    test.setTimeout(90_000)
    await openAndSignIn(page, user, '/profile')
    const starts: number[] = []
    page.on('request', (request) => {
      if (request.url().includes(url)) starts.push(Date.now())
    })
    // The provider never responds: the client times out after 10 s and retries 5 s later.
    await page.route(
      (requested) => requested.href.includes(url),
      () => {},
    )
    const renewal = () => starts.length
    await changeStoredUser(page, { expiresIn: 61, ...(hasRefreshToken ? {} : { hasRefreshToken }) })
    await page.reload()
    await expect.poll(renewal, { timeout: 15_000 }).toBe(1)
    await expect.poll(renewal, { timeout: 25_000 }).toBe(2)
    const gap = (starts[1] ?? 0) - (starts[0] ?? 0)
    expect(gap).toBeGreaterThan(14_000)
    expect(gap).toBeLessThan(20_000)
  })

test('after a session is revoked at the provider, the refresh is rejected and the user is asked to sign in again', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, '/profile')
  await endProviderSession(page)
  const token = (await storedUser(page))?.access_token
  const answer = await page.request.get(`${REALM}/protocol/openid-connect/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status()).toBe(401)
  const rejection = page.waitForResponse((response) => response.url().endsWith('/token'))
  await changeStoredUser(page, { expiresIn: 61 })
  await page.reload()
  expect((await rejection).status()).toBe(400)
  await changeStoredUser(page, { expiresIn: -10 })
  await page.goto('/tickets')
  await expect(page).toHaveURL('/login?returnUrl=%2Ftickets')
})

test('[ROUTE-03] /login never starts a sign-in by itself and redirects a signed-in user', async ({
  page,
  user,
}) => {
  const requested: string[] = []
  page.on(
    'request',
    (request) =>
      request.url().includes('/protocol/openid-connect/auth') && requested.push(request.url()),
  )
  await page.goto('/login?returnUrl=%2Fcontact')
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeVisible()
  await page.waitForTimeout(1000)
  expect(requested).toEqual([])
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await fillKeycloak(page, user)
  await expect(page).toHaveURL('/contact')
  await page.goto('/login?returnUrl=https%3A%2F%2Fevil.test%2F')
  await expect(page).toHaveURL('/')
})
