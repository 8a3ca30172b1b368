import type { Page } from '@playwright/test'
import { expect, signIn, test } from './kit.ts'

/**
 * Playwright disables the back/forward cache, and the headless shell lacks it: uses full Chromium. page.goBack() would wait for a
 * load that doesn't happen.
 */
test.use({
  asksForCookies: true,
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      executablePath: '/usr/bin/chromium',
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
})

const dialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Your Privacy Choices', exact: true })
const link = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('link', { name, exact: true })

/** Marks the document, to check that it is restored and not reloaded. */
const mark = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-kept', ''))

async function goBack(page: Page, steps = 1) {
  await page.evaluate((by) => history.go(-by), steps)
  await expect(page.locator('html')).toHaveAttribute('data-kept', '')
}

test('[THEME-01] [COOKIE-03] a page from the back/forward cache has the theme and cookie choice of the last page', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await expect(dialog(page)).toBeVisible()
  await mark(page)
  await link(page, 'Privacy').click()
  await expect(page).toHaveURL('/privacy')
  const theme = page.getByRole('button', { name: /^Theme:/ })
  await theme.click()
  await theme.click()
  await dialog(page).getByRole('button', { name: 'Essential Only' }).click()
  await goBack(page)
  await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark')
  await expect(theme).toHaveAccessibleName('Theme: dark. Switch to system')
  await expect(dialog(page)).toHaveCount(0)
})

test('a page from the back/forward cache opens the cookie dialog if no choice was made', async ({
  page,
}) => {
  await page.goto('/')
  await dialog(page).getByRole('button', { name: 'Essential Only' }).click()
  await mark(page)
  await link(page, 'Privacy').click()
  await expect(page).toHaveURL('/privacy')
  await page.evaluate(() => sessionStorage.removeItem('cookieConsent'))
  await goBack(page)
  await expect(dialog(page)).toBeVisible()
})

test('[NAV-05] a page from the back/forward cache shows a user who has signed in since', async ({
  page,
  user,
}) => {
  await page.goto('/')
  await mark(page)
  await link(page, 'Privacy').click()
  await expect(page).toHaveURL('/privacy')
  const before = await page.evaluate(() => history.length)
  await signIn(page, user)
  await expect(page).toHaveURL('/privacy')
  const steps = (await page.evaluate(() => history.length)) - before + 1
  await goBack(page, steps)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
})
