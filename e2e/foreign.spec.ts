import type { Page } from '@playwright/test'
import { KINDS, type SpecModel } from './spec-only-models.ts'
import { json, serveSpecOnly } from './spec-only-server.ts'
import { expect, saveButton, test } from './kit.ts'
import { expectAccessible } from './axe-check.ts'
import type { ServedResponse } from './site-server.ts'

/** Error and edge-case responses of a spec-only server; its thirty models are in conformance.spec.ts. */
const FIELDS = [
  { name: 'label', label: 'Label', type: 'text', default: 'New gadget' },
  ...Object.entries(KINDS)
    .filter(([type]) => type !== 'text')
    .map(([type, { more }]) => ({ name: type, label: `The ${type}`, type, ...more })),
]
const GADGETS: SpecModel = {
  definition: {
    path: 'Gadgets',
    routeName: 'gadget-list',
    name: 'Gadget',
    viewData: { title: 'Gadgets', displayField: 'label', fields: FIELDS },
  },
  metadata: { fields: FIELDS },
  record: { id: 7, label: 'Lamp', number: 12, password: 'secret-of-old' },
  nextId: 8,
  answers: 'nothing',
}
const OTHERS = [
  {
    path: 'secrets',
    routeName: 'secrets',
    viewData: { title: 'Secrets', displayField: 'label', fields: [] },
    authorise: { list: null, create: 'true', get: true },
  },
  { routeName: 'broken' },
  { path: 'contact', routeName: 'contact', viewData: { title: 'Contact book', fields: [] } },
]

let foreign: Awaited<ReturnType<typeof serveSpecOnly>>
let base: string

test.beforeEach(async ({ page }) => {
  foreign = await serveSpecOnly([GADGETS], {
    authority: 'http://localhost:1/nowhere',
    clientId: 'none',
  })
  base = foreign.base
  await page.addInitScript(
    (definitions) => sessionStorage.setItem('dynamicRoutes', definitions),
    JSON.stringify([GADGETS.definition, ...OTHERS]),
  )
})
test.afterEach(() => foreign.stop())

const text = (status: number, body: string): ServedResponse => ({
  status,
  body,
  type: 'text/plain',
})

const MESSAGES: [string, ServedResponse, string][] = [
  ['detail', json(422, { title: 'No', detail: 'Too many gadgets' }), 'Too many gadgets'],
  ['message', json(400, { message: 'No gadgets today' }), 'No gadgets today'],
  ['error', json(418, { error: 'Gadgets are closed on Sundays' }), 'Gadgets are closed on Sundays'],
  ['its text', text(500, 'The gadget machine is on fire'), 'The gadget machine is on fire'],
  ['nothing but a status', text(409, ''), 'Conflict'],
]

test('[DYN-08] a failed save shows another server’s message in any property, and keeps the input', async ({
  page,
}) => {
  for (const [method, address] of [
    ['POST', `${base}/gadgets/create`],
    ['PUT', `${base}/gadgets/edit/7`],
  ] as const) {
    await page.goto(address)
    await page.getByLabel('Label', { exact: true }).fill('Torch')
    for (const [where, answer, words] of MESSAGES)
      await test.step(`${method}: ${where}`, async () => {
        foreign.faults[`${method} /api/gadget-list${method === 'PUT' ? '/7' : ''}`] = answer
        await saveButton(page).click()
        const alert = page.getByRole('alert').filter({ hasText: words })
        await expect(alert).toBeVisible()
        // The message alone, not the body that carries it.
        await expect(alert).not.toContainText(/[{}]/)
        await expect(page.getByLabel('Label', { exact: true })).toHaveValue('Torch')
      })
  }
})

test('[ERR-01] [DYN-05] list, detail and delete pages show the status when a response is not OK', async ({
  page,
}) => {
  for (const [status, phrase] of [
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable'],
  ] as const) {
    foreign.faults['GET /api/gadget-list'] = json(status, { message: 'No' })
    foreign.faults['GET /api/Gadgets/7'] = text(status, 'No')
    await expectOops(page, '/gadgets', `${status} - ${phrase}`, `Error loading list: ${status}`)
    for (const address of ['/gadgets/7', '/gadgets/delete/7'])
      await expectOops(page, address, `${status} - ${phrase}`, `Error loading model: ${status}`)
  }
})

test('[ERR-02] missing or empty form metadata and records say so with the status; any other failure is a 500 with its message', async ({
  page,
}) => {
  const metadata = 'GET /api/Gadgets/form-metadata'
  const missing = 'Form metadata not found'
  for (const answer of [text(404, ''), json(200, {}), json(200, []), json(200, { fields: [] })]) {
    foreign.faults[metadata] = answer
    await expectOops(page, '/gadgets/create', '404 - Not Found', missing)
  }
  foreign.faults[metadata] = text(502, '')
  await expectOops(page, '/gadgets/edit/7', '502 - Bad Gateway', missing)
  delete foreign.faults[metadata]
  await expectOops(page, '/gadgets/edit/99', '404 - Not Found', 'Record not found')
  for (const answer of [json(200, null), json(200, {}), text(200, '')]) {
    foreign.faults['GET /api/Gadgets/7'] = answer
    await expectOops(page, '/gadgets/edit/7', '404 - Not Found', 'Record not found')
  }
  foreign.faults['GET /api/gadget-list'] = text(200, 'not JSON at all')
  await expectOops(page, '/gadgets', '500 - Internal Server Error', 'JSON')
})

test('[DYN-06] an empty list or detail says No data available', async ({ page }) => {
  for (const answer of [json(200, []), json(200, { items: [] }), json(200, null), text(204, '')]) {
    foreign.faults['GET /api/gadget-list'] = answer
    await page.goto(`${base}/gadgets`)
    await expect(page.getByText('No data available')).toBeVisible()
  }
  foreign.faults['GET /api/Gadgets/7'] = json(200, null)
  await page.goto(`${base}/gadgets/7`)
  await expect(page.getByText('No data available')).toBeVisible()
})

test('[DYN-12] a delete rejected by another server redirects to the list with a danger toast', async ({
  page,
}) => {
  foreign.faults['DELETE /api/gadget-list/7'] = text(500, 'No')
  await page.goto(`${base}/gadgets/delete/7`)
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Gadget (Lamp) Delete failed. Please try again.' }),
  ).toBeVisible()
  await expect(page).toHaveURL(`${base}/gadgets`)
})

test('[DYN-04] [DYN-13] a model without a trash neither mentions one nor offers Undo', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets?colour=red`)
  const remove = async () => {
    await page.getByRole('button', { name: 'Actions for Lamp' }).click()
    await page.getByRole('button', { name: 'Delete now' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('You may not be able to get this record back.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
  }
  foreign.faults['DELETE /api/gadget-list/7'] = json(400, { error: 'Lamps stay' })
  await remove()
  const alert = page.getByRole('alert').filter({ hasText: 'Gadget (Lamp) Delete failed.' })
  await expect(alert).toContainText('Lamps stay')
  delete foreign.faults['DELETE /api/gadget-list/7']
  await remove()
  await expect(page.getByRole('status').filter({ hasText: 'Deleted successfully' })).toBeVisible()
  await expect(page).toHaveURL(`${base}/gadgets?colour=red`)
  await expect(page.getByText('No data available')).toBeVisible()
  await expect(page.getByText(/undo|trash/i)).toHaveCount(0)
})

test('[DYN-04] the delete question and its buttons are visible without scrolling, even with many fields', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/delete/7`)
  await expect(page.getByRole('link', { name: 'Keep record' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Keep record' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await expect(page.getByRole('main').getByRole('button', { name: 'Delete' })).toBeInViewport()
})

test('[DYN-07] a returned password is sent back unchanged, a hidden one is sent only if typed', async ({
  page,
}) => {
  const put = () => foreign.calls.findLast(({ method }) => method === 'PUT')?.body
  await page.goto(`${base}/gadgets/edit/7`)
  await expect(page.getByLabel('The password')).toHaveValue('')
  await page.getByLabel('Label', { exact: true }).fill('Lantern')
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Lantern) updated Successfully')).toBeVisible()
  expect(put()).toMatchObject({ label: 'Lantern', password: 'secret-of-old', number: 12 })

  foreign.faults['GET /api/Gadgets/7'] = json(200, { id: 7, label: 'Lamp' })
  await page.goto(`${base}/gadgets/edit/7`)
  await page.getByLabel('Label', { exact: true }).fill('Torch')
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Torch) updated Successfully')).toBeVisible()
  expect(put()).not.toHaveProperty('password')

  await page.goto(`${base}/gadgets/edit/7`)
  await page.getByLabel('The password').fill('secret-of-new')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret-of')
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Lamp) updated Successfully')).toBeVisible()
  expect(put()).toMatchObject({ password: 'secret-of-new' })
})

test('[DYN-07] every default fills its input and is sent, every stored value is sent back unchanged', async ({
  page,
}) => {
  const body = (wanted: string) => foreign.calls.findLast(({ method }) => method === wanted)?.body
  const defaults = { color: '#ff0000', range: 30, week: '2026-W03', search: 'lamp', password: 'pw' }
  foreign.faults['GET /api/Gadgets/form-metadata'] = json(
    200,
    FIELDS.map((field) => ({ ...field, default: Reflect.get(defaults, field.type) })),
  )
  await page.goto(`${base}/gadgets/create`)
  await page.getByLabel('Label', { exact: true }).fill('Torch')
  await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Torch) created Successfully')).toBeVisible()
  expect(body('POST')).toMatchObject(defaults)

  const stored = {
    color: '#00FF00',
    range: 250,
    number: '12',
    week: '2026-W10',
    time: '03:04:05.123456',
    'datetime-local': '2026-01-02T03:04:05.123+02:00',
    date: '2026-01-02 00:00:00',
    month: '2026-01-01T00:00:00Z',
    radio: 'retired',
    select: 'retired',
    checkbox: 'true',
    bool: null,
    textarea: 'a\r\nb',
  }
  foreign.faults['GET /api/Gadgets/7'] = json(200, { id: 7, label: 'Lamp', ...stored })
  await page.goto(`${base}/gadgets/edit/7`)
  await expect(page.getByLabel('The color')).toHaveValue('#00ff00')
  for (const name of Object.keys(stored)) await page.locator(`[id="field-${name}"]`).focus()
  await page.getByLabel('Label', { exact: true }).fill('Lantern')
  await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Lantern) updated Successfully')).toBeVisible()
  const empty = FIELDS.filter(({ type }) => type !== 'password').map(({ name, type }) => [
    name,
    type === 'boolean' ? false : null,
  ])
  expect(body('PUT')).toEqual({ ...Object.fromEntries(empty), label: 'Lantern', ...stored })
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

test('[DYN-03] [DYN-14] [NAV-02] an unusable definition shows a danger toast and does not affect the others', async ({
  page,
}) => {
  await page.goto(`${base}/contact`)
  await expect(page.getByRole('alert')).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()
  await page.getByRole('link', { name: 'List Gadgets' }).click()
  await expect(page.getByRole('link', { name: 'Lamp', exact: true })).toBeVisible()
  expect(foreign.calls.map(({ path }) => path)).not.toContain('/api/models')
})

test.describe('without stored definitions', () => {
  const failed = 'Critical error loading routes. Please try again later.'

  test('[LOAD-02] if definitions fail to load, public pages work and a record page recovers by itself', async ({
    page,
  }) => {
    await page.addInitScript(() => sessionStorage.removeItem('dynamicRoutes'))
    await page.goto(`${base}/contact`)
    await expect(page.getByRole('alert').filter({ hasText: failed })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()
    await page.goto(`${base}/gadgets`)
    await expect(page.getByRole('alert').filter({ hasText: failed })).toBeVisible()
    await expect(page.getByText('404 - Not Found')).toHaveCount(0)
    foreign.faults['GET /api/models'] = json(200, [GADGETS.definition])
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(page.getByRole('link', { name: 'Lamp', exact: true })).toBeVisible()
    await expect(page.getByText(failed)).toHaveCount(0)
  })

  test('[LOAD-02] unreadable stored definitions count as failing to load', async ({ page }) => {
    for (const unreadable of ['{not json', 'null', '{}', '"gadgets"']) {
      await page.addInitScript((raw) => sessionStorage.setItem('dynamicRoutes', raw), unreadable)
      await page.goto(`${base}/contact`)
      await expect(page.getByRole('alert').filter({ hasText: failed })).toBeVisible()
    }
  })
})

for (const width of [1440, 390])
  test(`[DYN-07] a form with every type: axe finds nothing, nothing scrolls sideways (${width} wide)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const address of ['/gadgets', '/gadgets/create', '/gadgets/7', '/gadgets/delete/7']) {
      await page.goto(base + address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, address)
    }
  })

async function expectOops(page: Page, address: string, status: string, message: string) {
  await page.goto(base + address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Oops! ${status}`)
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
}
