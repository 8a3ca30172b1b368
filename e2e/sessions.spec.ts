import type { Browser, Page } from '@playwright/test'
import { call, expect, openAndSignIn, REALM, storedUser, test, type Account } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

async function onPhone(browser: Browser, person: Account) {
  const context = await browser.newContext({ userAgent: PHONE })
  const page = await context.newPage()
  await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await openAndSignIn(page, person)
  await call(page, 'GET', 'me')
  return page
}

/** Status of the provider's userinfo for the page's token: 401 once its session has ended. */
async function statusOf(page: Page) {
  const { access_token: token } = await storedUser(page)
  const { status } = await fetch(`${REALM}/protocol/openid-connect/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return status
}

const device = (page: Page, name: string) => page.locator('.sessions li', { hasText: name })

test('a user sees their sessions, and signs out one device and then all others', async ({
  page,
  browser,
  user,
}) => {
  test.setTimeout(120_000)
  const phone = await onPhone(browser, user)
  await openAndSignIn(page, user)
  await page
    .getByRole('banner')
    .getByRole('link', { name: /your sign-in$/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your sign-in' })).toBeVisible()
  await expect(device(page, 'This device')).toHaveCount(1)
  await expect(device(page, 'Safari on iPhone')).toHaveCount(1)
  await expect(page.getByText('Not set up.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Change your ways to sign in' })).toHaveAttribute(
    'href',
    /\/realms\/gatehouse\/account\/account-security\/signing-in$/,
  )
  await device(page, 'Safari on iPhone').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('Signed out: Safari on iPhone.')).toBeVisible()
  await expect(device(page, 'Safari on iPhone')).toHaveCount(0)
  expect(await statusOf(phone)).toBe(401)
  await expect(call(phone, 'GET', 'me')).rejects.toThrow('401')
  expect(await statusOf(page)).toBe(200)
  await phone.context().close()

  const again = await onPhone(browser, user)
  await page.reload()
  await expect(device(page, 'Safari on iPhone')).toHaveCount(1)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('You’re signed out everywhere else.')).toBeVisible()
  await expect(device(page, 'Safari on iPhone')).toHaveCount(0)
  expect(await statusOf(again)).toBe(401)
  await expect(call(again, 'GET', 'me')).rejects.toThrow('401')
  expect(await statusOf(page)).toBe(200)
  await again.context().close()
  await page.reload()
  await expect(device(page, 'This device')).toHaveCount(1)
})

for (const width of [1440, 390])
  test(`axe finds nothing on Your sign-in (${width} wide, light and dark)`, async ({
    page,
    user,
  }) => {
    await openAndSignIn(page, user)
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/sessions')
    await expect(device(page, 'This device')).toBeVisible()
    await expectAccessible(page, 'Your sign-in')
  })

test('Your sign-in requires signing in', async ({ page }) => {
  await page.goto('/sessions')
  await expect(page).toHaveURL('/login?returnUrl=%2Fsessions')
})
