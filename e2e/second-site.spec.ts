import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { allowOrigin, expect, openAndSignIn, test, untilMail } from './kit.ts'

// Two providers from one build: name, colours, logo, hours and notice are configuration.
test.describe.configure({ mode: 'serial' })
test.setTimeout(120_000)

const BRAND = { light: 'rgb(122, 31, 92)', dark: '#f0b3dc' }

let process: ChildProcess
let second: { base: string; themes: string }
let forgetOrigin: () => Promise<unknown>

test.beforeAll(async () => {
  test.setTimeout(120_000)
  process = spawn('node', ['tools/checks/second-site-serve.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(process.stdout ?? process, 'data')) as [Buffer]
  second = JSON.parse(line.toString())
  forgetOrigin = await allowOrigin(second.base)
})

test.afterAll(async () => {
  await forgetOrigin()
  process.stdin?.end()
  await once(process, 'exit')
})

const scriptsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src')),
  )

test('two sites of one build have the same scripts, and each its own name, logo, colours, icon and notice', async ({
  page,
}) => {
  await page.goto('/')
  const scripts = await scriptsOf(page)
  await expect(page).toHaveTitle(/Gatehouse/)
  await page.goto(second.base)
  expect(await scriptsOf(page)).toEqual(scripts)
  await expect(page).toHaveTitle(/Northgate IT/)
  await expect(page.getByRole('heading', { level: 1, name: 'Nora Gate' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Northgate IT' })).toBeVisible()
  expect(
    await page
      .locator('.btn-primary')
      .first()
      .evaluate((button) => getComputedStyle(button).backgroundColor),
  ).toBe(BRAND.light)
  expect(await (await page.request.get(`${second.base}/icon.svg`)).text()).toContain('#7a1f5c')
  await page.goto(`${second.base}/privacy`)
  await expect(page.locator('#contact-us')).toContainText('Northgate Networks Ltd')
  expect(await page.content()).not.toContain('Gatehouse')
})

test('without a printed PDF, Download PDF opens the print dialog', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto(`${second.base}/privacy`)
  await page.getByRole('button', { name: 'Download PDF' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-printed')
})

test('the second site’s app, signed in, has its name and its hours', async ({ page, user }) => {
  await openAndSignIn(page, user, second.base)
  await page.goto(`${second.base}/requests`)
  await expect(page).toHaveTitle(/Northgate IT/)
  expect(await page.content()).not.toContain('Gatehouse')
  await page.goto(second.base)
  await expect(page.getByRole('main')).toContainText('replies within 4 hours')
})

test('the second site’s emails have its name', async ({ page }) => {
  const address = `second-${crypto.randomUUID()}@example.test`
  await page.goto(`${second.base}/privacy`)
  const form = page.getByRole('region', { name: 'Privacy Inquiry Form' })
  await form.getByLabel('Name', { exact: true }).fill('Nora Lind')
  await form.getByLabel('Email').fill(address)
  await form.getByLabel('Subject').selectOption('deletion')
  await form.getByLabel('Message').fill('Please delete what you keep about me.')
  await form.getByRole('checkbox').check()
  await form.getByRole('button', { name: 'Send request' }).click()
  const mail = await untilMail(address, () => true)
  expect(mail).toMatchObject({
    from: 'hello@northgate.example',
    text: expect.stringContaining('Northgate Networks Ltd'),
  })
  expect(JSON.stringify(mail)).not.toMatch(/gatehouse/i)
  expect(mail.text).not.toMatch(/Phone:|Mon–/)
})

test('a site without contact details shows no phone, no hours and no emergency number', async ({
  page,
}) => {
  for (const path of ['/', '/contact', '/privacy', '/msp/services']) {
    await page.goto(second.base + path)
    await expect(page.locator('a[href^="tel:"]')).toHaveCount(0)
    await expect(page.getByRole('contentinfo')).toContainText('hello@northgate.example')
    await expect(page.getByText(/Emergency|Opening hours|Mon–Fri/)).toHaveCount(0)
  }
  await page.goto(`${second.base}/contact`)
  await page.getByText('Client Report', { exact: true }).first().click()
  await expect(page.locator('.for-report')).toHaveCount(0)
  const home = await (await page.request.get(second.base)).text()
  expect(home).toContain('"ProfessionalService"')
  expect(home).not.toMatch(/"telephone"|openingHours(?!":\[\])/)
})

test('the second site’s sign-in theme has its name, colours and address, emails included', () => {
  const read = (name: string) => readFileSync(join(second.themes, 'gatehouse', name), 'utf8')
  expect(read('login/resources/css/gatehouse.css')).toContain('#7a1f5c')
  expect(read('login/resources/css/gatehouse.css')).toContain(BRAND.dark)
  expect(read('email/html/template.ftl')).toContain('Northgate IT')
  expect(read('email/messages/messages_en.properties')).toContain('hello@northgate.example')
  for (const name of ['login/footer.ftl', 'email/html/template.ftl'])
    expect(read(name)).not.toContain('tel:')
})

test.describe('the second site’s settings of the cookie dialog', () => {
  test.use({ asksForCookies: true })
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your Privacy Choices' })
  const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('cookieConsent'))

  test('with when-needed and without analytics, the cookie dialog opens from the footer only', async ({
    page,
  }) => {
    await page.goto(second.base)
    await page.waitForTimeout(2500)
    await expect(dialog(page)).toHaveCount(0)
    await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' }).click()
    await expect(dialog(page)).toBeVisible()
    expect(await stored(page)).toBeNull()
  })

  test('with browser, the cookie choice is kept for 12 months, copied into other tabs and declared', async ({
    page,
    context,
  }) => {
    await page.goto(`${second.base}/privacy`)
    const declared = page.locator('#cookies tr', { hasText: 'cookieConsentKept' })
    await expect(declared).toContainText('local storage')
    await expect(declared).toContainText('12 months')
    const settings = page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' })
    await settings.click()
    await dialog(page).getByRole('button', { name: 'Accept All' }).click()
    expect(await stored(page)).toBe('all')
    const kept = await page.evaluate(() => localStorage.getItem('cookieConsentKept'))
    const days = (Number(kept?.split(' ')[1]) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(365)
    const other = await context.newPage()
    await other.goto(second.base)
    await expect.poll(() => stored(other)).toBe('all')
  })
})
