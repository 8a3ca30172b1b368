import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { allowOrigin, expect, openAndSignIn, REALM, saveButton, test, unique } from './kit.ts'
import { readBody, serveSite } from './site-server.ts'

// Menu entry and pages of a site's own model; tools/checks/site.test.ts covers its table and API.
test.describe.configure({ mode: 'serial' })
test.setTimeout(120_000)

let process: ChildProcess
let site: Awaited<ReturnType<typeof serveSite>>
let forgetOrigin: () => Promise<unknown>

test.beforeAll(async () => {
  test.setTimeout(120_000)
  process = spawn('node', ['tools/checks/site-serve.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [address] = (await once(process.stdout ?? process, 'data')) as [Buffer]
  const api = address.toString().trim()
  site = await serveSite({
    config: { authority: REALM, clientId: 'gatehouse-web', productPages: true },
    api: async (request, path) => {
      const body = await readBody(request)
      const {
        authorization,
        'content-type': type,
        'if-match': match,
        'idempotency-key': key,
      } = request.headers
      const response = await fetch(`${api}${path}`, {
        method: request.method ?? 'GET',
        headers: {
          ...(authorization ? { authorization } : {}),
          ...(type ? { 'content-type': type } : {}),
          ...(match ? { 'if-match': match } : {}),
          ...(key ? { 'idempotency-key': String(key) } : {}),
        },
        ...(body ? { body } : {}),
      })
      return { status: response.status, body: await response.text(), type: 'application/json' }
    },
  })
  forgetOrigin = await allowOrigin(site.base)
})

test.afterAll(async () => {
  await forgetOrigin()
  site.stop()
  process.stdin?.end()
  await once(process, 'exit')
})

test('[DYN-02] a model in the site folder is enough for a menu entry and working pages', async ({
  page,
  admin,
}) => {
  await openAndSignIn(page, admin, site.base)
  await page.getByRole('button', { name: 'Records' }).click()
  await page.getByRole('link', { name: 'Create invoice' }).click()
  const reference = unique('INV')
  await page.locator('#field-reference').fill(reference)
  await page.locator('#field-amount').fill('12.50')
  await saveButton(page).click()
  await expect(page.getByText(`Invoice (${reference}) created Successfully`)).toBeVisible()
  await page.getByRole('link', { name: reference, exact: true }).click()
  await expect(page.getByRole('definition').filter({ hasText: '12.5' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.locator('#field-status').selectOption('Paid')
  await saveButton(page).click()
  await expect(page.getByText(`Invoice (${reference}) updated Successfully`)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Delete' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`Invoice (${reference}) deleted Successfully`)).toBeVisible()
})
