import type { Locator, Page } from '@playwright/test'
import { change, createRecord } from './form-kit.ts'
import { expect, signInAndOpen, saveButton, signIn, storedUser, test, unique } from './kit.ts'

type FormField = { name: string; label: string; type: string; required: boolean; free?: boolean }
type Definition = {
  path: string
  name: string
  viewData: { title: string; displayField: string; fields: { label: string }[] }
}

test.setTimeout(180_000)

const GROUPS = [
  ['organisations', 'contacts', 'services', 'contracts'],
  ['tickets', 'assets', 'incidents', 'articles'],
]

for (const paths of GROUPS)
  test(`[DYN-03] [DYN-04] [DYN-07] [DYN-10] [DYN-11] [DYN-12] [API-02] [API-03] [API-04] [API-05] an admin creates, reads, changes and deletes ${paths.join(', ')}`, async ({
    page,
    admin,
    complaints,
  }) => {
    await signInAndOpen(page, admin)
    for (const path of paths) await lifeOf(page, path)
    // Opening the deleted record fails intentionally, and the browser logs it.
    expect(complaints.filter((one) => !one.includes('status of 404'))).toEqual([])
  })

async function lifeOf(page: Page, path: string) {
  const definition = await definitionOf(page, path)
  const { title, displayField } = definition.viewData
  const model = definition.name
  const name = unique('Zeta')

  await page.goto(`/${path}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Create/ })
    .click()
  await expect(page).toHaveURL(`/${path}/create`)
  await fill(page, await fieldsOf(page, path), { [displayField]: name })
  const made = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith(`/api/${path}`),
  )
  await saveButton(page).click()
  expect((await made).status(), await (await made).text()).toBe(201)
  await expect(page.getByText(`${model} (${name}) created Successfully`)).toBeVisible()
  await expect(page).toHaveURL(`/${path}`)

  await page.goto(`/${path}?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Breadcrumb' }).getByText(name),
  ).toHaveAttribute('aria-current', 'page')
  const detail = page.url()

  await page.getByRole('link', { name: 'Edit' }).click()
  const other = `${name} again`
  await page.locator(`#field-${displayField}`).fill(other)
  await saveButton(page).click()
  await expect(page.getByText(`${model} (${other}) updated Successfully`)).toBeVisible()
  await expect(page).toHaveURL(detail)
  await expect(page.getByRole('heading', { level: 1, name: other })).toBeVisible()

  // The toast covers the buttons until it hides.
  await page.getByRole('status').getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('main').getByRole('link', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Delete this / })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: other }).first()).toBeVisible()
  await expect(page.locator('.props dt')).toHaveText(
    definition.viewData.fields.map(({ label }) => label),
  )
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`${model} (${other}) deleted Successfully`)).toBeVisible()
  await expect(page).toHaveURL(`/${path}`)
  await page.goto(detail)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! 404 - Not Found')
  await expect(page.getByText('Error loading model: 404')).toBeVisible()
}

test('[DYN-08] a rejected save keeps the input and shows the server’s message at its field', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const email = `${crypto.randomUUID().slice(0, 8)}@example.test`
  for (const attempt of ['first', 'second']) {
    await page.goto('/contacts/create')
    await page.locator('#field-fullName').fill(`The ${attempt}`)
    await page.locator('#field-email').fill(email)
    await saveButton(page).click()
    if (attempt === 'first') await expect(page).toHaveURL('/contacts')
  }
  await expect(
    page.getByRole('alert').filter({ hasText: 'Email is already in use.' }),
  ).toBeVisible()
  await expect(page.locator('#field-email-error')).toHaveText('Email is already in use.')
  await expect(page.locator('#field-fullName')).toHaveValue('The second')
  await expect(page).toHaveURL('/contacts/create')
})

test('[DYN-08] [DYN-09] Saving... and Deleting... are shown, and a double click saves once', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const name = unique('Slow')
  await page.route('**/api/organisations', async (route) => {
    if (route.request().method() === 'POST')
      await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.goto('/organisations/create')
  await page.locator('#field-name').fill(name)
  await saveButton(page).dblclick()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(page.getByText(`Organisation (${name}) created Successfully`)).toBeVisible()
  await page.goto(`/organisations?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(1)

  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Delete' }).click()
  await page.route('**/api/organisations/*', async (route) => {
    if (route.request().method() === 'DELETE')
      await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeVisible()
  await expect(page.getByText(`Organisation (${name}) deleted Successfully`)).toBeVisible()
})

test('[DYN-12] a failed delete redirects to the list with a danger toast', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const made = await createRecord(page, 'organisations', { name: unique('Changed by others') })
  const name = String(made['name'])
  await page.goto(`/organisations/delete/${made.id}`)
  await expect(page.getByText('No other record links to this one.')).toBeVisible()
  await change(page, 'organisations', made.id, { city: 'Bath' })
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: `Organisation (${name}) Delete failed. Please try again.` }),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/organisations(\?|$)/)
})

test('[DYN-06] [API-01] an empty list says so, and the page’s query reaches the API without toast and modal', async ({
  page,
}) => {
  const asked = page.waitForRequest(
    (request) => new URL(request.url()).pathname === '/api/services',
  )
  await page.goto(
    `/services?q=zzzzzzzz&toast=${encodeURIComponent(JSON.stringify({ message: 'Hello' }))}`,
  )
  expect(new URL((await asked).url()).search).toBe('?q=zzzzzzzz')
  await expect(page.getByText('No data available')).toBeVisible()
})

test('[DYN-05] [ERR-01] a list that can’t be loaded shows the status inside the layout, with a link back', async ({
  page,
}) => {
  await page.goto('/services?sort=nonsense')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! 400 - Bad Request')
  await expect(page.getByText('Error loading list: 400')).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Services' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible()
})

test('[ERR-02] a missing record and missing form metadata on the edit page say so with the status', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await page.goto(`/services/edit/${crypto.randomUUID()}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! 404 - Not Found')
  await expect(page.getByText('Record not found')).toBeVisible()
  await page.route('**/api/services/form-metadata', (route) =>
    route.fulfill({ status: 500, body: '' }),
  )
  await page.goto('/services/create')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Oops! 500 - Internal Server Error',
  )
  await expect(page.getByText('Form metadata not found')).toBeVisible()
  await page.route('**/api/articles', (route) => route.abort())
  await page.goto('/articles')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Oops! 500 - Internal Server Error',
  )
})

test('[LOAD-01] each loading text is shown when loading is slow', async ({ page }) => {
  const slow = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  // Public pages are prerendered: the text is for pages that only the app renders.
  await page.route('**/static/site-*.js', async (route) => {
    await slow(800)
    await route.continue()
  })
  const { id, title } = await firstArticle(page)
  void page.goto(`/articles/${id}`)
  await expect(page.getByText('Loading app...')).toBeVisible()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  // On a public page, while a click waits for the app.
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Loading app...')).toBeVisible()
  await expect(page.getByText('Full name is required.')).toBeVisible()
  await expect(page.getByText('Loading app...')).toHaveCount(0)
  await page.unrouteAll()

  // The app is running now.
  await page.route('**/static/privacy-*.js', async (route) => {
    await slow(800)
    await route.continue()
  })
  await page.getByRole('link', { name: 'Privacy' }).first().click()
  await expect(page.getByText('Loading view...')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Privacy notice' })).toBeVisible()

  await page.route('**/api/articles**', async (route) => {
    await slow(800)
    await route.continue()
  })
  void page.goto(`/articles/${id}`)
  await expect(page.getByText('Loading route...')).toBeVisible()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
})

async function firstArticle(page: Page) {
  const response = await page.request.get('/api/articles?limit=1')
  const { items } = (await response.json()) as { items: { id: string; title: string }[] }
  const [article] = items
  if (!article) throw new Error('The sample data has articles')
  return article
}

test('[LOAD-02] every page reports routes that fail to load, and public pages still work', async ({
  page,
}) => {
  await page.route('**/api/models', (route) => route.fulfill({ status: 503, body: '' }))
  for (const path of ['/', '/contact', '/privacy', '/login']) {
    await page.goto(path)
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: 'Critical error loading routes. Please try again later.' }),
    ).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.unrouteAll()
  await page.goto('/')
  await page.evaluate(() => sessionStorage.setItem('dynamicRoutes', '{not json'))
  await page.goto('/contact')
  await expect(
    page.getByText('Critical error loading routes. Please try again later.'),
  ).toBeVisible()
})

test('[LOAD-02] a record page whose routes failed says so, and recovers without a reload', async ({
  page,
}) => {
  await page.route('**/api/models', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/services')
  const words = page.getByText('Critical error loading routes. Please try again later.')
  await expect(words).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByText('404 - Not Found')).toHaveCount(0)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.unrouteAll()
  await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible()
  await expect(words).toHaveCount(0)
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('[DYN-01] definitions are stored in session storage and reloaded on sign-in and sign-out', async ({
  page,
  admin,
}) => {
  await page.goto('/')
  await expect
    .poll(() => readDefinitions(page))
    .toContainEqual(expect.objectContaining({ path: 'organisations', fields: 0 }))
  await signIn(page, admin)
  await expect
    .poll(() => readDefinitions(page))
    .toContainEqual(
      expect.objectContaining({ path: 'organisations', fields: expect.closeTo(17, 4) }),
    )
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect
    .poll(() => readDefinitions(page))
    .toContainEqual(expect.objectContaining({ path: 'organisations', fields: 0 }))
})

const readDefinitions = (page: Page) =>
  page.evaluate(() =>
    (
      JSON.parse(sessionStorage.getItem('dynamicRoutes') ?? '[]') as {
        path: string
        viewData: { fields: unknown[] }
      }[]
    ).map(({ path, viewData }) => ({ path, fields: viewData.fields.length })),
  )

async function getJson<T>(page: Page, path: string): Promise<T> {
  const token = (await storedUser(page))?.access_token
  const response = await page.request.get(`/api/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true)
  return response.json()
}

async function definitionOf(page: Page, path: string): Promise<Definition> {
  const definitions = await getJson<Definition[]>(page, 'models')
  const found = definitions.find((definition) => definition.path === path)
  if (!found) throw new Error(`no definition for ${path}`)
  return found
}

const fieldsOf = async (page: Page, path: string) =>
  (await getJson<{ fields: FormField[] }>(page, `${path}/form-metadata`)).fields

async function fill(page: Page, fields: FormField[], given: Record<string, string>) {
  for (const field of fields) {
    const input = page.locator(`#field-${field.name}`)
    const value = given[field.name]
    switch (field.type) {
      case 'boolean':
        await input.check()
        break
      case 'relation':
        await input.click()
        await lastingChoice(page).click()
        break
      case 'select':
        await expect.poll(() => input.locator('option').count()).toBeGreaterThan(1)
        await input.selectOption(await firstLasting(input))
        break
      case 'multiselect':
        if (field.free)
          await input.getByPlaceholder('Add tags, separated by commas').fill('alpha, beta')
        else await input.getByRole('checkbox').first().check()
        break
      case 'file':
        await input.setInputFiles({
          name: 'notes.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('Notes'),
        })
        await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible()
        break
      default:
        await input.fill(value ?? SAMPLES[field.name] ?? SAMPLES[field.type] ?? unique(field.label))
    }
  }
}

/** Names created by `unique`: another test may delete these records. */
const OF_A_TEST = / [0-9a-f]{8}/

/** The first record no parallel test will delete. */
const lastingChoice = (page: Page) =>
  page
    .locator('.picker-list:visible [role=option]:not(.act)')
    .filter({ hasNotText: OF_A_TEST })
    .first()

/** The first option no parallel test will delete. */
async function firstLasting(input: Locator) {
  const options = await input.locator('option').evaluateAll((all) =>
    all.map((option) => ({
      value: option.getAttribute('value') ?? '',
      label: option.textContent ?? '',
    })),
  )
  return options.find(({ value, label }) => value !== '' && !OF_A_TEST.test(label))?.value ?? ''
}

/** By name or by type. */
const SAMPLES: Record<string, string> = {
  slug: `zeta-${crypto.randomUUID()}`,
  email: `${crypto.randomUUID().slice(0, 8)}@example.test`,
  tel: '+353 1 555 0100',
  url: 'https://example.test/page',
  integer: '7',
  decimal: '1.5',
  date: '2099-12-24',
  datetime: '2099-12-24T10:30',
  textarea: 'Two lines\nof text',
  markdown: 'Some **bold** words',
}
