import type { Browser, Page } from '@playwright/test'
import { expect, signIn, storedUser } from './kit.ts'

type Answer = { status: number; json: { id: string; version: number; [field: string]: unknown } }

/** A call to the API by the person who is signed in on the page. */
export async function call(page: Page, method: string, path: string, body?: unknown) {
  const token = (await storedUser(page))?.access_token
  const response = await page.request.fetch(`/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { data: body }),
  })
  return { status: response.status(), json: await response.json().catch(() => null) } as Answer
}

/** A new record, made without a page. */
export async function make(page: Page, path: string, body: object) {
  const { status, json } = await call(page, 'POST', path, body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

/** A change by someone else, in the meantime. */
export async function change(page: Page, path: string, id: string, body: object) {
  const { status, json } = await call(page, 'PUT', `${path}/${id}`, body)
  expect(status, JSON.stringify(json)).toBe(200)
}

export const read = async (page: Page, path: string, id: string) =>
  (await call(page, 'GET', `${path}/${id}`)).json

/** The line of a field in the form of the page. */
export const fieldOf = (page: Page, name: string) => page.locator(`#field-${name}`)

/** The same site in another browser, signed in there too. */
export async function openElsewhere(
  page: Page,
  browser: Browser,
  account: Parameters<typeof signIn>[1],
) {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  await context.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  const other = await context.newPage()
  await other.goto('/')
  await signIn(other, account)
  return other
}
