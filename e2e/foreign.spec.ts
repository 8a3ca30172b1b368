import type { IncomingMessage } from 'node:http'
import { expect, saveButton, test } from './kit.ts'
import { readBody, serveSite, type Answer } from './site-server.ts'

/**
 * Somebody else's definitions and somebody else's API: the built site, served beside a small server that speaks only what
 * the specification says (a bare array as list, numbers as ids, 204 after a change).
 */
const DEFINITIONS = [
  {
    path: 'Gadgets',
    routeName: 'gadget-list',
    viewData: {
      title: 'Gadgets',
      displayField: 'label',
      fields: [
        { name: 'label', label: 'Label', type: 'text', default: 'New gadget' },
        { name: 'colour', label: 'Colour', type: 'colour-of-the-moon', default: 'grey' },
      ],
    },
    authorise: {},
  },
  {
    path: 'secrets',
    routeName: 'secrets',
    viewData: { title: 'Secrets', displayField: 'label', fields: [] },
    authorise: { list: null, create: 'true', get: true },
  },
  { routeName: 'broken' },
  {
    path: 'contact',
    routeName: 'contact',
    viewData: { title: 'Contact book', displayField: 'x', fields: [] },
  },
]

let site: Awaited<ReturnType<typeof serveSite>>
let base: string
let gadgets: { id: number; label: string; colour: string }[]
let calls: string[]
let isRefusing: boolean

test.beforeAll(async () => {
  site = await serveSite({
    config: { authority: 'http://localhost:1/nowhere', clientId: 'none' },
    api: (request, path) => api(request, new URL(path, 'http://localhost').pathname),
  })
  base = site.base
})
test.afterAll(() => site.stop())

test.beforeEach(async ({ page }) => {
  gadgets = [{ id: 7, label: 'Lamp', colour: 'red' }]
  calls = []
  isRefusing = false
  await page.addInitScript((definitions) => {
    if (!sessionStorage.getItem('dynamicRoutes'))
      sessionStorage.setItem('dynamicRoutes', definitions)
  }, JSON.stringify(DEFINITIONS))
})

test.describe.configure({ mode: 'serial' })

test('[DYN-01] [DYN-02] [DYN-15] [NAV-02] [API-01] somebody else’s definitions get their menu and their pages', async ({
  page,
}) => {
  await page.goto(base)
  await page.getByRole('link', { name: 'List Gadgets' }).click()
  await expect(page).toHaveURL(`${base}/gadgets`)
  await page.getByRole('link', { name: 'Lamp', exact: true }).click()
  await expect(page).toHaveURL(`${base}/gadgets/7`)
  await expect(page.getByRole('heading', { level: 1, name: 'Lamp' })).toBeVisible()
  expect(calls).toContain('GET /api/gadget-list')
  expect(calls).toContain('GET /api/Gadgets/7')
  expect(calls).not.toContain('GET /api/models')
})

test('[DYN-07] [DYN-10] [API-03] [API-04] a record is created with another server’s metadata and answer', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/create`)
  await expect(page.getByLabel('Label')).toHaveValue('New gadget')
  await expect(page.getByLabel('Colour')).toHaveValue('grey')
  await page.getByLabel('Label').fill('Torch')
  await saveButton(page).click()
  await expect(page.getByText('Gadgets (Torch) created Successfully')).toBeVisible()
  await expect(page).toHaveURL(`${base}/gadgets`)
  await expect(page.getByRole('link', { name: 'Torch', exact: true })).toBeVisible()
})

test('[DYN-11] [DYN-12] [API-05] 204 is accepted after a change and after a deletion', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/edit/7`)
  await page.getByLabel('Label').fill('Lantern')
  await saveButton(page).click()
  await expect(page.getByText('Gadgets (Lantern) updated Successfully')).toBeVisible()
  expect(calls).toContain('PUT /api/gadget-list/7')
  await page.goto(`${base}/gadgets/delete/7`)
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Gadgets (Lantern) deleted Successfully')).toBeVisible()
  expect(calls).toContain('DELETE /api/gadget-list/7')
  await expect(page.getByText('No data available')).toBeVisible()
})

test('[DYN-08] another server’s error text is shown in the form', async ({ page }) => {
  isRefusing = true
  await page.goto(`${base}/gadgets/create`)
  await page.getByLabel('Label').fill('Torch')
  await saveButton(page).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Gadgets are closed on Sundays' }),
  ).toBeVisible()
  await expect(page.getByLabel('Label')).toHaveValue('Torch')
})

test('[PERM-02] null and "true" mean any signed-in user, a missing flag means public', async ({
  page,
}) => {
  await page.goto(`${base}/secrets`)
  await expect(page).toHaveURL(`${base}/login?returnUrl=%2Fsecrets`)
  await page.goto(`${base}/secrets/create`)
  await expect(page).toHaveURL(`${base}/login?returnUrl=%2Fsecrets%2Fcreate`)
  await expect(page.getByRole('link', { name: 'List Secrets' })).toHaveCount(0)
})

test('[DYN-03] [DYN-14] a definition that can not be used says so in a danger toast and takes no other down', async ({
  page,
}) => {
  await page.goto(`${base}/contact`)
  await expect(page.getByRole('alert')).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()
  await page.getByRole('link', { name: 'List Gadgets' }).click()
  await expect(page.getByRole('link', { name: 'Lamp', exact: true })).toBeVisible()
})

const json = (status: number, value?: unknown): Answer => ({
  status,
  body: value === undefined ? '' : JSON.stringify(value),
  type: 'application/json',
})

async function api(request: IncomingMessage, pathname: string): Promise<Answer> {
  const { method = 'GET' } = request
  calls.push(`${method} ${decodeURIComponent(pathname)}`)
  const id = Number(pathname.split('/')[3])
  const text = await readBody(request)
  const body = text ? JSON.parse(text) : {}
  if (method === 'GET' && pathname === '/api/gadget-list') return json(200, gadgets)
  if (method === 'GET' && pathname === '/api/Gadgets/form-metadata')
    return json(200, DEFINITIONS[0]?.viewData?.fields)
  if (method === 'GET' && pathname.startsWith('/api/Gadgets/'))
    return json(
      200,
      gadgets.find((gadget) => gadget.id === id),
    )
  if (isRefusing) return json(418, { error: 'Gadgets are closed on Sundays' })
  if (method === 'POST' && pathname === '/api/gadget-list') {
    gadgets = [...gadgets, { ...body, id: gadgets.length + 7 }]
    return json(200, { id: gadgets.length + 6 })
  }
  if (method === 'PUT') {
    gadgets = gadgets.map((gadget) => (gadget.id === id ? { ...body, id } : gadget))
    return json(204)
  }
  if (method === 'DELETE') {
    gadgets = gadgets.filter((gadget) => gadget.id !== id)
    return json(204)
  }
  return json(404)
}
