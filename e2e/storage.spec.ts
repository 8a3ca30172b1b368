import type { Page } from '@playwright/test'
import { expect, navigate, startApp, test } from './kit.ts'

test.use({ asksForCookies: true })

/** Simulates a browser that blocks site data. */
function block() {
  for (const kind of ['sessionStorage', 'localStorage'])
    Object.defineProperty(window, kind, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
}

function fill() {
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
}

const PAGES = [
  '/',
  '/profile',
  '/contact',
  '/privacy',
  '/security',
  '/msp/services',
  '/articles',
  '/tickets',
]
const RECORDS = ['/articles']
const words =
  'Your browser doesn’t let this site store data, which is needed to sign in. Allow cookies and site data for this site, or free some space, then try again.'

const failures = { blocked: block, full: fill }
for (const [how, breakStorage] of Object.entries(failures)) {
  test(`with storage ${how}, every public page works without errors`, async ({
    page,
    complaints,
  }) => {
    await page.addInitScript(breakStorage)
    for (const path of [...PAGES, ...RECORDS, '/login']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText('Unexpected Error')).toHaveCount(0)
      await expect(page.locator('html')).toHaveAttribute('data-bs-theme', /light|dark/)
      const button = page.getByRole('button', { name: /^Theme: system/ })
      await button.click()
      await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'light')
      await page.getByRole('button', { name: /^Theme: light/ }).click()
      await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark')
    }
    expect(complaints).toEqual([])
  })

  test(`with storage ${how}, the cookie choice holds while the page is open`, async ({
    page,
    complaints,
  }) => {
    await page.addInitScript(breakStorage)
    await page.goto('/')
    await page.getByRole('button', { name: 'Essential Only' }).click()
    await expect(question(page)).toHaveCount(0)
    await navigate(page, '/contact')
    await page.waitForTimeout(2000)
    await expect(question(page)).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test(`with storage ${how}, text typed into the contact form is kept while the page is open`, async ({
    page,
    complaints,
  }) => {
    await page.addInitScript(breakStorage)
    await page.goto('/contact')
    await startApp(page)
    await page.getByRole('textbox', { name: /Subject/ }).fill('Still here')
    await navigate(page, '/security')
    await expect(page.getByRole('heading', { level: 1, name: /security/i })).toBeVisible()
    await navigate(page, '/contact')
    await expect(page.getByRole('textbox', { name: /Subject/ })).toHaveValue('Still here')
    expect(complaints).toEqual([])
  })

  test(`with storage ${how}, signing in shows the error and what to do`, async ({ page }) => {
    await page.addInitScript(breakStorage)
    for (const path of ['/', '/login', '/desk']) {
      await page.goto(path)
      await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
      await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
      await expect(page).toHaveURL(/\/login/)
    }
  })
}

const question = (page: Page) => page.getByRole('heading', { name: 'Your Privacy Choices' })
