import type { Page } from '@playwright/test'
import pg from 'pg'
import { readSettings } from '../tools/stack/settings.ts'
import { fillIn, createAccount, setUpCodes } from './identity-kit.ts'
import {
  call,
  expect,
  fillKeycloak,
  keycloakAdmin,
  openAndSignIn,
  REALM,
  removeAccount,
  test,
  unique,
} from './kit.ts'

/** The provider's log is read every 2.5 s. */
const WITHIN_MS = 5_000
const newName = () => unique('sec').replaceAll(' ', '-').toLowerCase()

type SecurityEvent = { kind: string; outcome: string | null; actor: string | null }

async function eventsOf(sub: string): Promise<SecurityEvent[]> {
  const { rows } = await runQuery(
    `select e.*, (select sub from subject_refs where ref = e.actor_ref) as actor from security_events e
      where (select ref from subject_refs where sub = $1) in (about_ref, actor_ref) order by at, id`,
    [sub],
  )
  return rows
}

async function runQuery(text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: readSettings().databaseUrl('postgres') })
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** Recovery codes follow an authenticator app: two events of one kind, told apart by their outcome. */
async function expectOnce(sub: string, kind: string, expected: Partial<SecurityEvent> = {}) {
  const found = async () =>
    (await eventsOf(sub)).filter(
      (event) => event.kind === kind && event.outcome === (expected.outcome ?? event.outcome),
    )
  await expect.poll(async () => (await found()).length, { timeout: WITHIN_MS }).toBe(1)
  expect(await found()).toMatchObject([expected])
}

async function newPerson(roles: string[] = []) {
  const account = await createAccount(newName(), roles)
  const { json } = await keycloakAdmin('GET', `/users?username=${account.username}&exact=true`)
  return { ...account, sub: String(json[0].id) }
}

const inConsole = {
  role: async (method: 'POST' | 'DELETE', sub: string) =>
    keycloakAdmin(method, `/users/${sub}/role-mappings/realm`, [
      (await keycloakAdmin('GET', '/roles/admin')).json,
    ]),
  enable: async (sub: string, enabled: boolean) =>
    keycloakAdmin('PUT', `/users/${sub}`, {
      ...(await keycloakAdmin('GET', `/users/${sub}`)).json,
      enabled,
    }),
}

test('an account’s provider events appear once within 5 s, without personal data', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const person = await newPerson()
  const { sub } = person
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login' }).first().click()
  await page.waitForURL(`${REALM}/**`)
  await fillKeycloak(page, { ...person, password: 'wrong horse battery 9' })
  await expectOnce(sub, 'sign-in-failed', { outcome: 'proof' })
  await fillKeycloak(page, person)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expectOnce(sub, 'sign-in', { actor: sub })

  // The account pages sign in silently, in the same session.
  await page.goto(`${REALM}/account/account-security/signing-in`)
  await page.getByRole('button', { name: 'Set up Codes from your phone' }).click()
  await fillIn(page, { password: person.password })
  await page.locator('#kc-login').click()
  await setUpCodes(page)
  await expectOnce(sub, 'factor-added', { outcome: 'app' })
  expect((await eventsOf(sub)).filter(({ kind }) => kind === 'sign-in')).toHaveLength(1)

  await inConsole.role('POST', sub)
  await expectOnce(sub, 'role-granted', { outcome: 'technician', actor: null })
  await inConsole.role('DELETE', sub)
  await expectOnce(sub, 'role-removed', { outcome: 'technician' })
  const password = { type: 'password', value: 'another horse battery 8' }
  await keycloakAdmin('PUT', `/users/${sub}/reset-password`, password)
  await expectOnce(sub, 'password-changed')
  await inConsole.enable(sub, false)
  await expectOnce(sub, 'account-disabled')
  await inConsole.enable(sub, true)
  await expectOnce(sub, 'account-enabled')
  await keycloakAdmin('POST', `/users/${sub}/logout`)
  await expectOnce(sub, 'sign-out-everywhere')

  const { rows } = await runQuery('select * from security_events')
  // Digests are random: short names occur in some by chance.
  for (const { sid, source_id } of rows)
    for (const digest of [sid, source_id]) expect(digest ?? '').toMatch(/^[\w-]{43}$|^$/)
  const dump = JSON.stringify(rows.map(({ sid: _sid, source_id: _source, ...rest }) => rest))
  for (const word of [person.username, 'example.test', 'Ada', 'Min', sub])
    expect(dump).not.toContain(word)
  await removeAccount(person.username)
})

test('an action on People appears once in the security log, with its actor', async ({
  page,
  admin,
}) => {
  test.setTimeout(90_000)
  const { sub, username } = await newPerson(['admin'])
  await openAndSignIn(page, admin)
  const row = async () => {
    const { items } = await call(page, 'GET', 'people')
    return items.find(({ email }: { email: string }) => email.startsWith(username))
  }
  await expect.poll(row, { timeout: 15_000 }).toBeTruthy()
  const { id } = await row()
  await call(page, 'PUT', `people/${id}`, { level: 'owner' })
  await expect
    .poll(async () => (await eventsOf(sub)).map(({ kind, outcome }) => [kind, outcome]))
    .toEqual([
      ['role-granted', 'technician'],
      ['role-granted', 'owner'],
    ])
  await call(page, 'POST', `people/${id}/sign-out`)
  await call(page, 'PUT', `people/${id}`, { enabled: false })
  // Waits for the provider's log, which reports the same actions.
  await page.waitForTimeout(WITHIN_MS)
  const recorded = await eventsOf(sub)
  for (const kind of ['sign-out-everywhere', 'account-disabled'])
    expect(recorded.filter((event) => event.kind === kind)).toMatchObject([
      { actor: expect.stringMatching(/^[\w-]{36}$/) },
    ])
  await removeAccount(username)
})

test('a role granted in the admin console applies without another sign-in', async ({ page }) => {
  test.setTimeout(90_000)
  const person = await newPerson()
  await openAndSignIn(page, person, '/requests')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await inConsole.role('POST', person.sub)
  await expectOnce(person.sub, 'role-granted')
  await page.goto('/requests')
  await expect(page.getByRole('link', { name: 'Desk' }).first()).toBeVisible({ timeout: 15_000 })
  await removeAccount(person.username)
})

test('a disabled user can’t write, and keeps their input', async ({ page }) => {
  test.setTimeout(90_000)
  const person = await newPerson()
  await openAndSignIn(page, person, '/contact')
  const message = 'Smoke in the copy room since nine.'
  await fillContact(page, message)
  await inConsole.enable(person.sub, false)
  await expectOnce(person.sub, 'account-disabled')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('button', { name: 'Login' }).first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(message)
  const { rows } = await runQuery('select from tickets where message = $1 and email = $2', [
    message,
    `${person.username}@example.test`,
  ])
  expect(rows).toEqual([])
  await removeAccount(person.username)
})

async function fillContact(page: Page, message: string) {
  const typed = { 'Full name': 'Ann Lee', Subject: 'Smoke', Message: message }
  for (const [label, text] of Object.entries(typed))
    await page.getByLabel(label, { exact: true }).fill(text)
}
