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
})

test('the second site’s sign-in theme has its name, colours and address, emails included', () => {
  const read = (name: string) => readFileSync(join(second.themes, 'gatehouse', name), 'utf8')
  expect(read('login/resources/css/gatehouse.css')).toContain('#7a1f5c')
  expect(read('login/resources/css/gatehouse.css')).toContain(BRAND.dark)
  expect(read('email/html/template.ftl')).toContain('Northgate IT')
  expect(read('email/messages/messages_en.properties')).toContain('hello@northgate.example')
})
