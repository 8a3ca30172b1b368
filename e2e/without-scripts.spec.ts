import { telLink } from '@gatehouse/model'
import type { Locator, Page } from '@playwright/test'
import { config, expect, mailsTo, PUBLIC_PAGES, test } from './kit.ts'
import {
  address,
  expectInquiry,
  expectReceived,
  fillContact,
  fillInquiry,
  PERSON,
  watchAddresses,
} from './form-leaks.ts'

test.use({ javaScriptEnabled: false })

const sendInquiry = (page: Page) => page.getByRole('button', { name: 'Send request' }).click()

test('no form of a public page puts its input into the URL', async ({ page }) => {
  for (const path of PUBLIC_PAGES) {
    await page.goto(path)
    expect(
      await page
        .locator('form')
        .evaluateAll((forms) => forms.map((form) => (form as HTMLFormElement).method)),
      path,
    ).toEqual(path === '/contact' || path === '/privacy' ? ['post'] : [])
  }
})

test('[PRIV-04] the Privacy Inquiry Form works without scripts', async ({ page }) => {
  const expectNoLeak = watchAddresses(page)
  const email = address()
  await page.goto('/privacy')
  await fillInquiry(page, email)
  const posted = page.waitForResponse((response) => response.request().method() === 'POST')
  await sendInquiry(page)
  const answer = await posted
  expect(answer.status()).toBe(202)
  await expectReceived(page)
  expectNoLeak()
  await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
})

test('[PRIV-04] the Privacy Inquiry Form sent twice without scripts creates one request', async ({
  page,
}) => {
  const email = address()
  for (let i = 0; i < 2; i++) {
    await page.goto('/privacy')
    await fillInquiry(page, email)
    await sendInquiry(page)
    await expectReceived(page)
  }
  await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
})

test('[PRIV-04] the fourth privacy request of a day is accepted, and its page does not mention an email', async ({
  page,
}) => {
  const email = address()
  for (let i = 1; i <= 4; i++) {
    await page.goto('/privacy')
    await fillInquiry(page, email)
    await page.getByLabel('Message').fill(`Request ${i}`)
    await sendInquiry(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request received')
  }
  const main = page.getByRole('main')
  await expect(main).toContainText(/We’ve received your request PR-\S+ and will reply by /)
  await expect(main).not.toContainText('emailed')
})

test('[PRIV-04] a rejected privacy request without scripts returns the form with its input and errors', async ({
  page,
}) => {
  const expectNoLeak = watchAddresses(page)
  await page.goto('/privacy')
  await fillInquiry(page, 'nora.quill')
  const posted = page.waitForResponse((response) => response.request().method() === 'POST')
  await sendInquiry(page)
  const answer = await posted
  expect(answer.status()).toBe(422)
  const headers = answer.headers()
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("form-action 'self'")
  expect(await answer.text()).not.toContain('<b>"this"')
  await expectInquiry(page, 'nora.quill')
  const field = page.getByLabel('Email')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(/address/)
  await expect(field).toBeFocused()
  await expect(page.getByText('Your request wasn’t sent.')).toBeVisible()

  const email = address()
  await field.fill(email)
  await sendInquiry(page)
  await expectReceived(page)
  await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
  expectNoLeak()
})

test('[PRIV-04] an empty Privacy Inquiry Form names every field', async ({ page }) => {
  await page.goto('/privacy')
  await sendInquiry(page)
  await expect(page.locator('#inquiry .invalid-feedback')).toHaveText([
    'Name is required.',
    'Email is required.',
    'Subject is required.',
    'Message is required.',
    'Confirm that you’re making this request on your own behalf.',
  ])
})

test('the contact form without scripts names other ways to reach us, and sends nothing', async ({
  page,
}) => {
  const expectNoLeak = watchAddresses(page)
  await page.goto('/contact')
  const note = page.getByRole('main').locator('.needs-scripts')
  await expect(note).toContainText('Sending this form needs JavaScript and a client account.')
  await expectOtherWays(note)
  await fillContact(page)
  const posted = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Send message' }).click()
  expect((await posted).status()).toBe(405)
  await expect(page).toHaveURL('/contact')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Message not sent')
  const main = page.getByRole('main')
  await expect(main).toContainText('nothing was sent')
  await expectOtherWays(main)
  expect(await page.content()).not.toContain(PERSON.subject)
  expectNoLeak()
  await page.goBack()
  await expect(page.getByLabel('Subject')).toHaveValue(PERSON.subject)
})

test('the menu’s pages can be reached on a phone without scripts', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const menu = page.getByRole('banner').getByRole('navigation')
  const opener = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  for (const [name, path] of [
    ['Profile', '/profile'],
    ['Contact', '/contact'],
    ['Privacy', '/privacy'],
    ['Home', '/'],
  ] as const) {
    await opener.click()
    await menu.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
  }
  // Nothing that needs scripts is offered.
  await expect(page.getByRole('banner').getByRole('button')).toHaveCount(1)
  await page.goto('/privacy')
  await expect(page.getByRole('button', { name: 'Cookie settings' })).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

/** Email address and, if the site has one, phone: no other link. */
async function expectOtherWays(place: Locator) {
  const { phone } = config.site
  const links = await place.getByRole('link').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  expect(addresses).toEqual([`mailto:${config.owner.email}`, ...(phone ? [telLink(phone)] : [])])
}
