import type { Page } from '@playwright/test'
import { address, expectInquiry, fillInquiry as fillWhole, watchAddresses } from './form-leaks.ts'
import { config, expect, PUBLIC_PAGES, test } from './kit.ts'
import { expectAccessibleNow } from './axe-check.ts'
import { without } from './stack.ts'

/** These tests stop services of the stack, so they run alone: see playwright.config.ts. */
test.setTimeout(240_000)

test('with the API stopped every public page is 200 and usable', async ({ page }) => {
  await without('api', async () => {
    await usePublicPages(page)
    await page.goto('/contact')
    await page.getByLabel('Message', { exact: true }).fill('Still here')
    await page.goto('/privacy')
    await fillInquiry(page)
    await page.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByText('Your request wasn’t sent.')).toBeVisible()
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue('What do you keep?')
  })
})

test('[PRIV-04] the Privacy Inquiry Form without the app reports a stopped API, and Back restores the input', async ({
  page,
}) => {
  await page.route('**/static/*.js', (route) => route.abort())
  const expectNoLeak = watchAddresses(page)
  const email = address()
  await without('api', async () => {
    await page.goto('/privacy')
    await fillWhole(page, email)
    const posted = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Send request' }).click()
    const reply = await posted
    expect([reply.status(), reply.headers()['content-type']]).toEqual([
      503,
      'text/html; charset=utf-8',
    ])
    expect(reply.headers()['cache-control']).toBe('no-store')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request not confirmed')
    await expect(page.getByRole('main')).toContainText('Go back: what you typed is still there.')
    await expect(page.getByRole('main').getByRole('link')).toHaveAttribute(
      'href',
      `mailto:${config.controller.privacyEmail}`,
    )
    await expectAccessibleNow(page, 'the request that was not confirmed')
    await page.goBack()
    await expectInquiry(page, email)
    expectNoLeak()
  })
})

test('with Keycloak stopped every public page is 200 and usable, and Login reports the failure within 10 s', async ({
  page,
}) => {
  await without('keycloak', async () => {
    await usePublicPages(page)
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText('Sign-in failed', { timeout: 10_000 })
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeVisible()
  })
})

async function usePublicPages(page: Page) {
  for (const path of PUBLIC_PAGES) {
    const reply = await page.goto(path)
    expect(reply?.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
  }
  await page.goto('/')
  await page.getByRole('link', { name: 'Get in touch' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Full name is required.')).toBeVisible()
}

async function fillInquiry(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('Dana Whitlock')
  await page.getByLabel('Email').fill('dana@client.example')
  await page.getByLabel('Subject').selectOption('access')
  await page.getByLabel('Message', { exact: true }).fill('What do you keep?')
  await page.getByRole('checkbox', { name: /own behalf/ }).check()
}
