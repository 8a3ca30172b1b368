import type { Page, Request } from '@playwright/test'
import { expect } from './kit.ts'

/** Form input; each part is easy to search for. */
export const PERSON = {
  name: 'Nora Quillfeather style=x',
  subject: 'Mailboxmark',
  message: 'Please delete messagemark\nand <b>"this"</b> & that.',
}
const CANARIES = ['Quillfeather', 'Mailboxmark', 'messagemark', 'nora.']

export const address = () => `nora.${crypto.randomUUID()}@example.test`

/** Watches every request: input must not appear in a URL or referrer. */
export function watchAddresses(page: Page) {
  const found: string[] = []
  const checkRequest = (request: Request) => {
    const { referer = '' } = request.headers()
    const seen = decodeURIComponent(`${request.url()} ${referer} ${page.url()}`)
    if (CANARIES.some((mark) => seen.includes(mark))) found.push(seen)
  }
  page.on('request', checkRequest)
  return () => {
    expect(found).toEqual([])
    expect(CANARIES.filter((mark) => decodeURIComponent(page.url()).includes(mark))).toEqual([])
  }
}

/** Delays the app's modules until the returned function is called. */
export async function delayModules(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/static/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

export async function fillInquiry(page: Page, email: string) {
  const form = page.locator('#inquiry')
  await form.getByLabel('Name', { exact: true }).fill(PERSON.name)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Subject').selectOption('deletion')
  await form.getByLabel('Message').fill(PERSON.message)
  await form.getByRole('checkbox', { name: /own behalf/ }).check()
}

export async function expectReceived(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request received')
  await expect(page.getByRole('main')).toContainText(
    /We’ve received your request PR-\d{4}-\d{4,} and will reply by .+\. We’ve emailed you the reference\./,
  )
}

export async function expectInquiry(page: Page, email: string) {
  const form = page.locator('#inquiry')
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue(PERSON.name)
  await expect(form.getByLabel('Email')).toHaveValue(email)
  await expect(form.getByLabel('Subject')).toHaveValue('deletion')
  await expect(form.getByLabel('Message')).toHaveValue(PERSON.message)
  await expect(form.getByRole('checkbox', { name: /own behalf/ })).toBeChecked()
}

export async function fillContact(page: Page) {
  await page.getByRole('radio', { name: 'Callback Request' }).check()
  await page.getByLabel('Full name').fill(PERSON.name)
  await page.getByLabel('Email').fill('nora.quill@example.test')
  await page.getByLabel('Subject').fill(PERSON.subject)
  await page.getByLabel('Message', { exact: true }).fill(PERSON.message)
}

export async function expectContact(page: Page) {
  await expect(page.getByRole('radio', { name: 'Callback Request' })).toBeChecked()
  await expect(page.getByLabel('Full name')).toHaveValue(PERSON.name)
  await expect(page.getByLabel('Email')).toHaveValue('nora.quill@example.test')
  await expect(page.getByLabel('Subject')).toHaveValue(PERSON.subject)
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(PERSON.message)
}
