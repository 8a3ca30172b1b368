import { test as base, expect, type Page } from '@playwright/test'

export { expect }

export const SITE =
  process.env['SITE_URL'] ?? `http://localhost:${process.env['SITE_PORT'] ?? '8080'}`
const KEYCLOAK =
  process.env['KEYCLOAK_URL'] ?? `http://localhost:${process.env['KEYCLOAK_PORT'] ?? '8280'}`
export const REALM = `${KEYCLOAK}/realms/gatehouse`

type Account = { username: string; password: string }
const account = (username: string): Account => ({ username, password: `${username}-demo-password` })

/** Complaints of the browser: console errors, page errors, breaches of the content security policy. */
export type Complaints = string[]

/** A page that is watched, and the accounts of this worker: each worker has its own (see playwright.config.ts). */
// Playwright reads the pattern of the first parameter, so it must be one, even if empty.
/* oxlint-disable no-empty-pattern */
export const test = base.extend<{ complaints: Complaints }, { admin: Account; user: Account }>({
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
      const complaints: Complaints = []
      watch(page, complaints)
      await use(complaints)
    },
    { auto: true },
  ],
})

/** Writes down what the browser complains about. */
function watch(page: Page, complaints: Complaints) {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

/** Presses Login and signs in at the real Keycloak; ends back on the site. */
export async function signIn(page: Page, { username, password }: Account) {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await fillKeycloak(page, { username, password })
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
}

export async function fillKeycloak(page: Page, { username, password }: Account) {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
}

/** The signed-in user as the sign-in client keeps it, in session storage and nowhere else. */
export const storedUser = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:'))
    return key ? { key, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') } : null
  })

type Change = { expiresIn?: number; role?: string; hasRefreshToken?: false }

/** Changes the stored user, as anybody with developer tools could; it counts from the next page on. */
export const changeStoredUser = (page: Page, change: Change) =>
  page.evaluate(({ expiresIn, role, hasRefreshToken }) => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? ''
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    if (expiresIn !== undefined) stored.expires_at = Math.floor(Date.now() / 1000) + expiresIn
    if (role !== undefined) stored.profile.role = role
    if (hasRefreshToken === false) delete stored.refresh_token
    sessionStorage.setItem(key, JSON.stringify(stored))
  }, change)

/** A token of Keycloak's own administrator, for what only the identity provider can do to a session. */
export async function keycloakAdmin(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const response = await fetch(`${KEYCLOAK}/admin/realms/gatehouse${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text ? JSON.parse(text) : null }
}

/** A fresh name, so that tests do not meet each other's records. */
export const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`
