import { changeStoredUser, expect, signInAndOpen, signIn, storedUser, test } from './kit.ts'

test('[PERM-03] a signed-out visitor is sent to /login with a returnUrl, and returns after signing in', async ({
  page,
  user,
}) => {
  await page.goto('/tickets?q=printer')
  await expect(page).toHaveURL('/login?returnUrl=%2Ftickets%3Fq%3Dprinter')
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.locator('#username').fill(user.username)
  await page.locator('#password').fill(user.password)
  await page.locator('#kc-login').click()
  await expect(page).toHaveURL('/tickets?q=printer')
})

test('[PERM-01] [PERM-04] [ROUTE-01] a signed-in non-admin is sent from an admin page to /unauthorised', async ({
  page,
  user,
}) => {
  await signInAndOpen(page, user)
  await page.goto('/organisations/create')
  await expect(page).toHaveURL('/unauthorised')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('401 - Unauthorized')
  await expect(page.getByText("You don't have access to this page.")).toBeVisible()
})

test('[NAV-02] [NAV-03] [PERM-02] the menu shows only links the visitor has access to', async ({
  page,
  user,
  admin,
  browser,
}) => {
  const links = async () => {
    await page.getByRole('button', { name: 'Records' }).click()
    await expect(page.locator('.dropdown-menu a').first()).toBeVisible()
    const names = await page.locator('.dropdown-menu a').allInnerTexts()
    await page.keyboard.press('Escape')
    return names
  }
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'List Services' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'List Articles' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Create/ })).toHaveCount(0)
  await signIn(page, user)
  const ofUser = await links()
  expect(ofUser).toContain('Tickets')
  expect(ofUser).toContain('Create ticket')
  expect(ofUser).not.toContain('Create organisation')
  const other = await (await browser.newContext()).newPage()
  await signInAndOpen(other, admin)
  await other.getByRole('button', { name: 'Records' }).click()
  await expect(other.locator('.dropdown-menu a').first()).toBeVisible()
  const ofAdmin = await other.locator('.dropdown-menu a').allInnerTexts()
  expect(ofAdmin).toContain('Create organisation')
  // List and Create of eight models; privacy requests can't be created here.
  expect(ofAdmin).toContain('Privacy requests')
  expect(ofAdmin).toHaveLength(17)
})

test('[PERM-05] flags changed in session storage show pages but no data: the API rejects each call', async ({
  page,
  user,
}) => {
  await signInAndOpen(page, user)
  // Waits for this user's own definitions.
  await expect
    .poll(() =>
      page.evaluate(() => sessionStorage.getItem('dynamicRoutes')?.includes('organisations')),
    )
    .toBe(true)
  await page.evaluate(() => {
    const definitions = JSON.parse(sessionStorage.getItem('dynamicRoutes') ?? '[]') as {
      authorise?: unknown
    }[]
    for (const definition of definitions) definition.authorise = {}
    sessionStorage.setItem('dynamicRoutes', JSON.stringify(definitions))
  })
  const rejected: number[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/') && !response.ok())
      rejected.push(response.status())
  })
  await page.goto('/organisations/create')
  await expect(page).toHaveURL('/organisations/create')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! 403 - Forbidden')
  expect(rejected).toContain(403)
  const token = (await storedUser(page))?.access_token
  const headers = { authorization: `Bearer ${token}` }
  expect(
    (await page.request.post('/api/organisations', { headers, data: { name: 'Mine' } })).status(),
  ).toBe(403)
  expect((await page.request.get('/api/accounts', { headers })).status()).toBe(403)
})

test('[PERM-05] a role changed in session storage changes nothing on the server', async ({
  page,
  user,
}) => {
  await signInAndOpen(page, user)
  await changeStoredUser(page, { role: 'admin' })
  await page.goto('/organisations/create')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! 403 - Forbidden')
})

test('the API rejects Keycloak tokens issued for another audience', async ({ page, user }) => {
  await signInAndOpen(page, user)
  const stored = await storedUser(page)
  for (const token of [stored?.id_token, stored?.refresh_token, `${stored?.access_token}x`]) {
    const response = await page.request.get('/api/tickets', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status()).toBe(401)
  }
  expect(
    (
      await page.request.get('/api/tickets', {
        headers: { authorization: `Bearer ${stored?.access_token}` },
      })
    ).status(),
  ).toBe(200)
})

test('[ROUTE-02] any other path is 404 within the full layout', async ({ page }) => {
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 - Not Found')
  await expect(page.getByText("The page you're looking for doesn't exist.")).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
})
