import type { Browser, Page } from '@playwright/test'
import { call, signInAndOpen } from './kit.ts'

export const createRecord = (page: Page, path: string, body: object) =>
  call(page, 'POST', path, body)

export const change = (page: Page, path: string, id: string, body: object) =>
  call(page, 'PUT', `${path}/${id}`, body)

export const read = (page: Page, path: string, id: string) => call(page, 'GET', `${path}/${id}`)

export const fieldOf = (page: Page, name: string) => page.locator(`#field-${name}`)

export async function openInSecondContext(
  page: Page,
  browser: Browser,
  account: Parameters<typeof signInAndOpen>[1],
) {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  await context.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  const other = await context.newPage()
  await signInAndOpen(other, account)
  return other
}
