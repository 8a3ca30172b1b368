import type { BrowserContext, Page } from '@playwright/test'
import { endProviderSession, expect, openAndSignIn, signIn, storedUser, test } from './kit.ts'

const ELSEWHERE = 'You’ve been signed out in another tab.'
const EXPIRED = 'Your session has expired. Sign in again.'
/** The session is polled every 2 s; allows for a busy machine. */
const NOTICED = { timeout: 20_000 }

const removeCookies = (context: BrowserContext) =>
  context.clearCookies({ name: /^KEYCLOAK|^KC_|^AUTH_SESSION/ })

const draftsOf = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('Draft')))

test('[AUTH-14] a sign-out in another tab is reported as such', async ({ page, context, user }) => {
  await openAndSignIn(page, user, '/profile')
  await page.goto('/contact')
  await page.getByLabel('Subject').fill('Typed before')
  await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click()
  expect(await draftsOf(page)).toHaveLength(1)
  const other = await context.newPage()
  await other.goto('/requests')
  await other.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText(ELSEWHERE)).toBeVisible(NOTICED)
  await expect(page.getByText(EXPIRED)).toHaveCount(0)
  expect(await storedUser(page)).toBeNull()
  // Drafts are removed in every tab, as the notice says.
  expect(await draftsOf(page)).toEqual([])
})

test('[AUTH-14] a session ended by the provider is reported as expired, not as signed out in another tab', async ({
  page,
  context,
  user,
}) => {
  await openAndSignIn(page, user, '/profile')
  await endProviderSession(page)
  await removeCookies(context)
  await expect(page.getByText(EXPIRED)).toBeVisible(NOTICED)
  await expect(page.getByText(ELSEWHERE)).toHaveCount(0)
  expect(await storedUser(page)).toBeNull()
})

for (const path of ['/contact', '/privacy'])
  test(`signing out at ${path} deletes the input for the next account`, async ({
    page,
    user,
    admin,
  }) => {
    await openAndSignIn(page, user, path)
    const message = page.getByLabel('Message', { exact: true })
    await message.fill('Typed before signing out')
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
    expect(await draftsOf(page)).toEqual([])
    await page.goto(path)
    await expect(message).toHaveValue('')
    await signIn(page, admin)
    await expect(message).toHaveValue('')
    expect(await draftsOf(page)).toEqual([])
  })

test('input typed when the session expires is kept as that account’s draft', async ({
  page,
  context,
  user,
}) => {
  await openAndSignIn(page, user, '/contact')
  const message = page.getByLabel('Message', { exact: true })
  await message.fill('Typed before')
  const [storedDraft] = await draftsOf(page)
  await endProviderSession(page)
  await removeCookies(context)
  await expect(page.getByText(EXPIRED)).toBeVisible(NOTICED)
  await message.pressSequentially(' and after')
  await expect(message).toHaveValue('Typed before and after')
  expect(await draftsOf(page)).toEqual([storedDraft])
})

test('[AUTH-14] an iframe without the provider’s cookies does not sign out', async ({
  page,
  context,
  user,
}) => {
  await openAndSignIn(page, user, '/profile')
  const probe = page.waitForResponse(
    (response) => response.url().endsWith('/userinfo') && response.request().method() === 'GET',
    NOTICED,
  )
  await removeCookies(context)
  expect((await probe).status()).toBe(200)
  await page.waitForTimeout(1000)
  await expect(page.getByText(ELSEWHERE)).toHaveCount(0)
  await expect(page.getByText(EXPIRED)).toHaveCount(0)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('Back after signing in continues without an error', async ({ page, user }) => {
  await openAndSignIn(page, user, '/contact')
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page).toHaveURL('/contact')
  await expect(page.getByText('Sign-in failed')).toHaveCount(0)
  await expect(page.getByText('Welcome back!')).toHaveCount(0)
})

test('[ROUTE-03] Back to /login after signing in redirects to the requested page', async ({
  page,
  user,
}) => {
  await page.goto('/requests')
  await expect(page).toHaveURL('/login?returnUrl=%2Frequests')
  await signIn(page, user)
  await expect(page).toHaveURL('/requests')
  await page.goto('/login?returnUrl=%2Fcontact')
  await expect(page).toHaveURL('/contact')
})
