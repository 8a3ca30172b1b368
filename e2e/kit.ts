import type { SiteConfig } from '@gatehouse/model'
import { readFileSync } from 'node:fs'
import { SITE_FOLDER } from '../api/src/platform/paths.ts'
import { signInByTicket } from './ticket.ts'
import { DEMO_SECRETS } from '../api/src/platform/secrets.ts'
import { readSettings } from '../tools/stack/settings.ts'
import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type Page,
} from '@playwright/test'

export { expect }

export const SITE =
  process.env['SITE_URL'] ?? `http://localhost:${process.env['SITE_PORT'] ?? '8080'}`
const KEYCLOAK =
  process.env['KEYCLOAK_URL'] ?? `http://localhost:${process.env['KEYCLOAK_PORT'] ?? '8280'}`
export const REALM = `${KEYCLOAK}/realms/gatehouse`
const CATCHER = `http://localhost:${process.env['MAIL_PORT'] ?? '8226'}`

/** Page texts come from site.json, so tests read it too. */
type Config = {
  site: Pick<SiteConfig['site'], 'name' | 'url' | 'locale' | 'phone' | 'emergency' | 'hours'>
  owner: { name: string; title: string; credit: string; email: string; alertEmail: string }
  controller: { privacyEmail: string }
  socials: Record<string, string>
  profile: {
    headline: string
    lead: string
    expertise: { name: string; description: string; projects: number }[]
    certifications: { name: string; issuer: string; year: number; url?: string }[]
    tools: { group: string; names: string[] }[]
    projects: { title: string; client: string; text: string; before: string; after: string }[]
    philosophy: { statement: string; principles: { title: string; text: string }[] }
  }
}
export const config = JSON.parse(readFileSync(new URL('site.json', SITE_FOLDER), 'utf8')) as Config

/** All public pages; `/msp/services` and `/msp-services` are further addresses of `/services`. */
export const PUBLIC_PAGES = [
  '/',
  '/profile',
  '/contact',
  '/privacy',
  '/privacy/received',
  '/security',
  '/services',
  '/services/managed-workplace',
  '/articles',
  '/articles/restore-drills-last-quarter',
  '/msp/services',
  '/msp-services',
  '/login',
  '/unauthorised',
]

export type Account = { username: string; password: string }
const account = (username: string): Account => ({ username, password: `${username}-demo-password` })

export type PageErrors = string[]

/**
 * A watched page with the cookie choice made (unless `asksForCookies`), and this worker's own accounts (see
 * playwright.config.ts).
 */
// Playwright parses the first parameter, which must be a destructuring pattern, even if empty.
/* oxlint-disable no-empty-pattern */
export const test = base.extend<
  { complaints: PageErrors; asksForCookies: boolean },
  { admin: Account; user: Account }
>({
  asksForCookies: [false, { option: true }],
  context: async ({ context, asksForCookies }, use) => {
    if (!asksForCookies) await context.addInitScript(storeCookieChoice)
    await use(context)
  },
  admin: [
    async ({}, use, worker) => use(account(`admin-${(worker.parallelIndex % 4) + 1}`)),
    { scope: 'worker' },
  ],
  user: [
    async ({}, use, worker) => use(account(`user-${(worker.parallelIndex % 4) + 1}`)),
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: PageErrors = []
      watch(page, complaints)
      await use(complaints)
    },
    { auto: true },
  ],
})

function storeCookieChoice() {
  try {
    if (!sessionStorage.getItem('cookieConsent'))
      sessionStorage.setItem('cookieConsent', 'essential')
  } catch {
    // An empty iframe has no storage access.
  }
}

function watch(page: Page, complaints: PageErrors) {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

export const collectCspViolations = () => {
  const breaches: string[] = []
  Object.assign(window, { breaches })
  document.addEventListener('securitypolicyviolation', (event) =>
    breaches.push(`${event.violatedDirective} ${event.blockedURI}`),
  )
}

export async function signIn(page: Page, { username, password }: Account) {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await fillKeycloak(page, { username, password })
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
}

/** For tests of anything but sign-in: without the form, which takes a second. */
export async function signInAndOpen(page: Page, account: Account, path = '/') {
  const { href, origin } = new URL(path, SITE)
  await signInByTicket(page, account, { realm: REALM, origin })
  await page.goto(href)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
}

export async function openAndSignIn(page: Page, account: Account, path = '/') {
  await page.goto(path)
  await signIn(page, account)
}

export async function fillKeycloak(page: Page, { username, password }: Account) {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
}

/** Registers at Keycloak: the form, the mail's link in the same tab, then the password that `signIn` uses. */
export async function register(
  page: Page,
  { username, email, lastName }: { username: string; email: string; lastName: string },
) {
  const { password } = account(username)
  await page.locator('#username').fill(username)
  await page.locator('#email').fill(email)
  await page.locator('#firstName').fill('Nora')
  await page.locator('#lastName').fill(lastName)
  await page.locator('[type=submit]').click()
  await page.goto(await untilLink(email))
  await page.locator('#password-new').fill(password)
  await page.locator('#password-confirm').fill(password)
  await page.locator('[type=submit]').click()
  return account(username)
}

export async function untilLink(email: string) {
  const link = /https?:\/\/\S+\/login-actions\/action-token\S+/
  const { text } = await untilMail(email, (mail) => link.test(mail.text))
  return link.exec(text)?.[0] ?? ''
}

export async function removeAccount(name: string) {
  const { json } = await keycloakAdmin('GET', `/users?username=${name}&exact=true`)
  if (json[0]) await keycloakAdmin('DELETE', `/users/${json[0].id}`)
}

export const storedUser = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:'))
    return key ? { key, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') } : null
  })

/** Signs an admin in without a provider, as the client `none` stores it: other servers take any token. */
export const storeUser = (context: BrowserContext, authority: string) =>
  context.addInitScript(
    ([issuer, expiresAt]) =>
      sessionStorage.setItem(
        `oidc.user:${issuer}:none`,
        JSON.stringify({
          access_token: 'token',
          token_type: 'Bearer',
          scope: 'openid',
          expires_at: expiresAt,
          profile: { sub: 'sub-1', name: 'Kim', role: 'admin', iss: issuer, aud: 'none' },
        }),
      ),
    [authority, Math.floor(Date.now() / 1000) + 3600] as const,
  )

/** Calls the API as the page's signed-in user; throws on an error status. */
export async function call(page: Page, method: string, path: string, body?: object) {
  const user = await storedUser(page)
  const response = await fetch(`${SITE}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${user?.access_token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : null
}

/** An account's profile, after a first visit that creates its record. */
export async function profileOf(browser: Browser, account: Account) {
  const page = await browser.newPage()
  await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await signInAndOpen(page, account)
  await call(page, 'GET', 'me')
  const { sub, name, email } = (await storedUser(page))?.profile ?? {}
  await page.close()
  return { sub: String(sub), name: String(name), email: String(email) }
}

type Change = { expiresIn?: number; role?: string; hasRefreshToken?: false }

/** Changes the stored user, as developer tools could; takes effect on the next load. */
export const changeStoredUser = (page: Page, change: Change) =>
  page.evaluate(({ expiresIn, role, hasRefreshToken }) => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? ''
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    if (expiresIn !== undefined) stored.expires_at = Math.floor(Date.now() / 1000) + expiresIn
    if (role !== undefined) stored.profile.role = role
    if (hasRefreshToken === false) delete stored.refresh_token
    sessionStorage.setItem(key, JSON.stringify(stored))
  }, change)

/** Calls Keycloak's admin API, which the proxy doesn't expose. */
export async function keycloakAdmin(method: string, path: string, body?: unknown) {
  const { identityAdmin } = readSettings()
  const tokenResponse = await fetch(
    `${identityAdmin}/realms/master/protocol/openid-connect/token`,
    {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'realm-apply',
        client_secret: DEMO_SECRETS.realm,
      }),
    },
  )
  const { access_token: token } = (await tokenResponse.json()) as { access_token: string }
  const response = await fetch(`${identityAdmin}/admin/realms/gatehouse${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text ? JSON.parse(text) : null }
}

/** Ends the page user's sessions at the provider, without notifying the page. */
export async function endProviderSession(page: Page) {
  const sub = (await storedUser(page))?.profile.sub
  expect((await keycloakAdmin('POST', `/users/${sub}/logout`)).status).toBe(204)
}

export const saveButton = (page: Page) =>
  page.getByRole('button', { name: /^(Create|Save changes)$/ })

/** A unique name, so that tests can ignore each other's records. */
export const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`

/** Navigates within the running app, with navigation state. */
export const navigate = (page: Page, to: string, state: unknown = null) =>
  page.evaluate(
    ([address, usr]) => {
      const key = crypto.randomUUID()
      history.pushState({ usr, key, idx: history.length }, '', address)
      window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    },
    [to, state] as const,
  )

/** Starts the app on a public page by focusing a field of a form. */
export async function startApp(page: Page) {
  await page.locator('main form').getByRole('textbox').first().focus()
  await expect(page.locator('html')).toHaveAttribute('data-app', 'running')
}

/** `toast={…}` or `modal={…}` for a URL. */
export const instructionParam = (name: 'toast' | 'modal', value: unknown) =>
  `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`

export const crumbsOf = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => {
        const link = item.querySelector('a')
        return link
          ? `${item.textContent} → ${link.getAttribute('href')}`
          : `${item.textContent}${item.querySelector('[aria-current="page"]') ? ' (here)' : ''}`
      }),
    )

type Mail = { to: string[]; from: string; subject: string; text: string; html: string }

/** The mail catcher's mails for this address, newest first. */
export async function mailsTo(address: string) {
  return (await (
    await fetch(`${CATCHER}/mails?to=${encodeURIComponent(address)}`)
  ).json()) as Mail[]
}

/** Waits for a mail, which goes through a queue and a relay. */
export async function untilMail(address: string, fits: (mail: Mail) => boolean): Promise<Mail> {
  let found: Mail | undefined
  await expect
    .poll(
      async () => {
        found = (await mailsTo(address)).find(fits)
        return found !== undefined
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  if (!found) throw new Error('No matching mail arrived')
  return found
}

/** Makes the mail catcher reject this address, until `acceptMailsTo`. */
export const rejectMailsTo = (address: string, answer: string) =>
  fetch(`${CATCHER}/refusals?${new URLSearchParams({ to: address, answer })}`, { method: 'PUT' })

export const acceptMailsTo = (address: string) =>
  fetch(`${CATCHER}/refusals?${new URLSearchParams({ to: address })}`, { method: 'DELETE' })

/** Registers another origin at Keycloak for this test. Returns a function that removes it. */
export async function allowOrigin(origin: string) {
  const { json } = await keycloakAdmin('GET', '/clients?clientId=gatehouse-web')
  const [client] = json as { id: string; webOrigins: string[]; redirectUris: string[] }[]
  if (!client) throw new Error('Client gatehouse-web not found')
  const put = (body: object) => keycloakAdmin('PUT', `/clients/${client.id}`, body)
  await put({
    ...client,
    webOrigins: [...client.webOrigins, origin],
    redirectUris: [
      ...client.redirectUris,
      `${origin}/signin-callback*`,
      `${origin}/silent-renew.html`,
    ],
  })
  return () => put(client)
}
