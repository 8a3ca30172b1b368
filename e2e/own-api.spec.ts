import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { freePort } from '../tools/stack/settings.ts'
import { WEB_MAPPERS } from '../tools/realm/clients.ts'
import { expect, keycloakAdmin, openAndSignIn, REALM, saveButton, test } from './kit.ts'

// The server of docs/own-api.md with an export of the web: its pages in the browser. tools/checks/own-api.test.ts makes its calls.
test.describe.configure({ mode: 'serial' })
test.setTimeout(120_000)

const ROOT = join(import.meta.dirname, '..')

let folder: string
let server: ChildProcess
let clientId: string
let base: string

test.beforeAll(async () => {
  test.setTimeout(120_000)
  // Inside the checkout, where the site's code finds the model.
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.test/own-api-'))
  const [site, files] = [join(folder, 'site'), join(folder, 'files')]
  cpSync(join(ROOT, 'sample'), site, { recursive: true })
  const config = JSON.parse(readFileSync(join(site, 'site.json'), 'utf8')) as SiteConfig
  const simulated: SiteConfig = { ...config, contact: { delivery: 'simulated' } }
  writeFileSync(join(site, 'site.json'), JSON.stringify(simulated))
  execFileSync('npm', ['run', '--silent', 'site:export', '--', files, '--as-built'], {
    cwd: ROOT,
    env: { ...process.env, SITE_DIR: site },
  })
  const port = await freePort()
  base = `http://localhost:${port}`
  clientId = `books-web-${port}`
  expect((await keycloakAdmin('POST', '/clients', clientFor(base))).status).toBe(201)
  server = spawn('node', [join(ROOT, 'docs/own-api/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      FILES: files,
      AUTHORITY: REALM,
      CLIENT_ID: clientId,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout ?? server, 'data')
})

test.afterAll(async () => {
  server.kill()
  await once(server, 'exit')
  const { json } = await keycloakAdmin('GET', `/clients?clientId=${clientId}`)
  await keycloakAdmin('DELETE', `/clients/${json[0].id}`)
  rmSync(folder, { recursive: true })
})

test('[API-01] [API-02] in front of the documented API, visitors get list, record and public pages, and are sent to sign in for the rest', async ({
  page,
  complaints,
}) => {
  await page.goto(base)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`${base}/books`)
  await expect(page.getByRole('heading', { level: 1, name: 'Books' })).toBeVisible()
  await page.getByRole('link', { name: 'Emma', exact: true }).click()
  await expect(page).toHaveURL(`${base}/books/1`)
  await expect(page.getByRole('heading', { level: 1, name: 'Emma' })).toBeVisible()
  await expect(page.locator('.props dt')).toHaveText(['Title', 'Pages', 'Lent'])
  await page.goto(`${base}/books/create`)
  await expect(page).toHaveURL(`${base}/login?returnUrl=%2Fbooks%2Fcreate`)
  expect(complaints).toEqual([])
  const missing = await page.goto(`${base}/no/such/page`)
  expect(missing?.status()).toBe(404)
  await expect(page.getByText('404 - Not Found')).toBeVisible()
})

test('[API-03] [API-04] [API-05] [DYN-10] [DYN-11] [DYN-12] in front of the documented API, an admin creates, edits and deletes a record', async ({
  page,
  admin,
}) => {
  await openAndSignIn(page, admin, `${base}/books`)
  await page.goto(`${base}/books/create`)
  await expect(page.getByLabel('Pages')).toHaveValue('100')
  await saveButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Title is required' })).toBeVisible()
  await page.getByLabel('Title').fill('Persuasion')
  await saveButton(page).click()
  await expect(page.getByText('Book (Persuasion) created Successfully')).toBeVisible()
  await expect(page).toHaveURL(`${base}/books`)
  await page.getByRole('link', { name: 'Persuasion', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Lent').check()
  await saveButton(page).click()
  await expect(page.getByText('Book (Persuasion) updated Successfully')).toBeVisible()
  await expect(page.locator('.props')).toContainText('Yes')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await (await page.request.get(`${base}/api/books/${id}`)).json()).toEqual({
    id,
    title: 'Persuasion',
    pages: 100,
    isLent: true,
  })
  await page.goto(`${base}/books/delete/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Book (Persuasion) deleted Successfully')).toBeVisible()
  expect((await page.request.get(`${base}/api/books/${id}`)).status()).toBe(404)
})

test('[PERM-04] in front of the documented API, a user can edit but not delete', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, base)
  await page.goto(`${base}/books/edit/1`)
  await expect(page.getByLabel('Title')).toHaveValue('Emma')
  await page.goto(`${base}/books/delete/1`)
  await expect(page).toHaveURL(`${base}/unauthorised`)
})

test('[CONTACT-05] [CONTACT-06] in front of another API, the contact form with simulated delivery makes no call', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user, base)
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url())
  })
  await page.goto(`${base}/contact`)
  await page.getByLabel('Subject').fill('A book')
  await page.getByLabel('Message', { exact: true }).fill('Do you have Persuasion?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your message has been sent!' }),
  ).toBeVisible()
  expect(writes).toEqual([])
})

/** As the document says. */
const clientFor = (origin: string) => ({
  clientId,
  publicClient: true,
  standardFlowEnabled: true,
  redirectUris: [`${origin}/signin-callback*`, `${origin}/silent-renew.html`],
  webOrigins: [origin],
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'post.logout.redirect.uris': `${origin}/logout-callback*`,
  },
  protocolMappers: WEB_MAPPERS.filter(({ config }) => config['claim.name'] === 'role').map(
    (mapper) => ({ ...mapper, protocol: 'openid-connect' }),
  ),
})
