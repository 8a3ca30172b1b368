import type { Page } from '@playwright/test'
import { KINDS, type SpecModel } from './spec-only-models.ts'
import { json, serveSpecOnly } from './spec-only-server.ts'
import { expect, saveButton, storeUser, test } from './kit.ts'
import { expectAccessible } from './axe-check.ts'
import type { ServedResponse } from './site-server.ts'

/** Lists, relations and records in formats that the specification leaves open, and a server without product pages. */
const AUTHORITY = 'http://localhost:1/nowhere'
const FIELDS = [
  { name: 'label', label: 'Label', type: 'text' },
  { name: 'maker', label: 'Maker', type: 'relation', to: 'makers' },
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
  record: { id: 7, label: 'Lamp', maker: 3 },
  nextId: 8,
  answers: 'nothing',
}
const MAKERS: SpecModel = {
  definition: {
    path: 'Makers',
    routeName: 'maker-list',
    name: 'Maker',
    viewData: { title: 'Makers', displayField: 'name', fields: [] },
  },
  metadata: { fields: [{ name: 'name', label: 'Name', type: 'text' }] },
  record: { id: 3, name: 'Acme' },
  nextId: 4,
  answers: 'nothing',
}
/** No fields in its definition. */
const PARCELS: SpecModel = {
  definition: {
    path: 'parcels',
    routeName: 'parcels',
    viewData: { title: 'Parcels' } as SpecModel['definition']['viewData'],
  },
  metadata: [],
  record: {
    id: 1,
    sender: 'Kim',
    weight: 2.5,
    isPaid: true,
    password: 'secret-of-old',
    size: { width: 1 },
    tags: ['a'],
    note: null,
    street: 'Quay',
    town: 'Cork',
    postcode: 'T12',
    country: 'Ireland',
    carrier: 'Van',
  },
  nextId: 2,
  answers: 'nothing',
}

let foreign: Awaited<ReturnType<typeof serveSpecOnly>>
let base: string

test.beforeEach(async ({ page }) => {
  foreign = await serveSpecOnly([GADGETS, MAKERS, PARCELS], {
    authority: AUTHORITY,
    clientId: 'none',
  })
  base = foreign.base
  foreign.faults['GET /api/models'] = json(200, definitions(GADGETS, MAKERS, PARCELS))
  await storeUser(page.context(), AUTHORITY)
})
test.afterEach(() => foreign.stop())

const definitions = (...models: SpecModel[]) => models.map(({ definition }) => definition)
const text = (body: string): ServedResponse => ({ status: 200, body, type: 'text/html' })

test('[API-01] a list is an array, or the array under items, data or results', async ({ page }) => {
  const rows = [GADGETS.record]
  for (const body of [rows, { items: rows }, { data: rows }, { results: rows, count: 1 }]) {
    foreign.faults['GET /api/gadget-list'] = json(200, body)
    await page.goto(`${base}/gadgets`)
    await expect(page.getByRole('link', { name: 'Lamp', exact: true })).toBeVisible()
  }
})

test('[API-01] [ERR-02] any other list format is a loader failure, and its hint doesn’t claim an empty response', async ({
  page,
}) => {
  for (const answer of [
    json(200, { rows: [GADGETS.record] }),
    json(200, {}),
    json(200, 'gadgets'),
    json(200, ['Lamp']),
    json(200, { data: { rows: [] } }),
    text('<h1>Gadgets</h1>'),
  ]) {
    foreign.faults['GET /api/gadget-list'] = answer
    await page.goto(`${base}/gadgets`)
    await expectOops(page, '500 - Internal Server Error')
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('The server’s response isn’t a list of records.')
    await expect(alert).not.toContainText('didn’t respond')
    await expect(page.getByText('No data available')).toHaveCount(0)
  }
})

test('[ERR-02] missing form metadata is not reported as deleted', async ({ page }) => {
  foreign.faults['GET /api/Gadgets/form-metadata'] = json(404, { message: 'No' })
  await page.goto(`${base}/gadgets/create`)
  await expectOops(page, '404 - Not Found')
  await expect(page.getByRole('main')).toContainText('Form metadata not found')
  await expect(page.getByRole('main')).toContainText('The server has no form for these records.')
  await expect(page.getByRole('main')).not.toContainText('deleted')
})

test('[DYN-02] a relation shows its target’s display field on detail, delete page, form and list', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/7`)
  const link = page.locator('.props').getByRole('link', { name: 'Acme', exact: true })
  await expect(link).toHaveAttribute('href', '/makers/3')
  await page.goto(`${base}/gadgets/delete/7`)
  await expect(page.locator('.props')).toContainText('Acme')
  await page.goto(`${base}/gadgets/edit/7`)
  await expect(page.getByRole('combobox', { name: 'Maker' })).toHaveValue('Acme')
  await page.goto(`${base}/gadgets`)
  await expect(page.getByRole('cell', { name: 'Acme' })).toBeVisible()
})

test('[DYN-02] related records of a list are loaded with one request', async ({ page }) => {
  foreign.faults['GET /api/gadget-list'] = json(200, {
    data: [GADGETS.record, { id: 8, label: 'Torch', maker: 4 }],
  })
  foreign.faults['GET /api/maker-list'] = json(200, {
    results: [MAKERS.record, { id: 4, name: 'Bolt' }],
  })
  await page.goto(`${base}/gadgets`)
  for (const name of ['Acme', 'Bolt'])
    await expect(page.getByRole('cell', { name, exact: true })).toBeVisible()
  const isOfMakers = ({ path }: { path: string }) => /maker/i.test(path)
  expect(foreign.calls.filter(isOfMakers)).toHaveLength(1)
})

test('[DYN-02] a relation to a record that can’t be read shows its id', async ({ page }) => {
  foreign.faults['GET /api/Makers/3'] = json(403, { message: 'No' })
  foreign.faults['GET /api/maker-list'] = json(500, {})
  await page.goto(`${base}/gadgets/7`)
  await expect(page.locator('.props').getByRole('link', { name: '3', exact: true })).toBeVisible()
  await page.goto(`${base}/gadgets`)
  await expect(page.getByRole('cell', { name: '3', exact: true })).toBeVisible()
})

test('[API-05] an update sends every field of the form except an empty password', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/edit/7`)
  await page.getByLabel('Label', { exact: true }).fill('Lantern')
  await saveButton(page).click()
  await expect(page.getByText('Gadget (Lantern) updated Successfully')).toBeVisible()
  const body = foreign.calls.findLast(({ method }) => method === 'PUT')?.body
  const names = FIELDS.map(({ name }) => name).filter((name) => name !== 'password')
  expect(Object.keys(Object(body)).toSorted()).toEqual(names.toSorted())
  expect(body).toMatchObject({ label: 'Lantern', maker: 3, number: null, checkbox: false })
})

test('[DYN-02] a model without fields shows its records’ own simple values, at most 7 in a list and no password', async ({
  page,
}) => {
  await page.goto(`${base}/parcels`)
  const heads = page.getByRole('columnheader')
  await expect(heads).toHaveText([
    'id',
    'sender',
    'weight',
    'isPaid',
    'street',
    'town',
    'postcode',
    'Actions',
  ])
  await expect(page.getByRole('cell', { name: 'Yes', exact: true })).toBeVisible()
  for (const path of ['/parcels/1', '/parcels/delete/1']) {
    await page.goto(base + path)
    await expect(page.locator('.props dt').last()).toHaveText('carrier')
    await expect(page.locator('.props')).toContainText('Ireland')
    await expect(page.getByRole('main')).not.toContainText('secret-of')
  }
})

test('[NAV-01] without productPages an admin’s menu has only the specified pages', async ({
  page,
}) => {
  await page.goto(`${base}/gadgets/7`)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lamp')
  await expect(page.locator('.site-nav > li > a')).toHaveText([
    'Home',
    'Profile',
    'Contact',
    'Privacy',
    'Gadgets',
    'Create gadget',
    'Makers',
    'Create maker',
    'Parcels',
    'Create parcels',
  ])
  await expect(page.getByRole('link', { name: /Who read|sign-in/i })).toHaveCount(0)
  for (const path of ['/desk', '/requests', '/sessions', '/security-events']) {
    await page.goto(base + path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 - Not Found')
  }
})

for (const width of [1440, 390])
  test(`[DYN-02] pages of a model without fields: axe finds nothing, nothing scrolls sideways (${width} wide)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/parcels', '/parcels/1', '/gadgets/7']) {
      await page.goto(base + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, path)
    }
  })

async function expectOops(page: Page, status: string) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Oops! ${status}`)
}
