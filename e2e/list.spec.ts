import type { Page } from '@playwright/test'
import { expect, signInAndOpen, signIn, storedUser, test } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(180_000)

const filterOf = (...all: unknown[]) => `filter=${encodeURIComponent(JSON.stringify({ all }))}`
const LISTED = ['severity', 'in', ['High', 'Critical', 'Low']]

const rows = (page: Page) => page.locator('.tbl tbody tr')
const names = (page: Page) => page.locator('.tbl .c-main a').allTextContents()
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })
const query = (page: Page) => new URL(page.url()).searchParams
const settled = (page: Page) =>
  expect(page.locator('.grid-panel')).toHaveAttribute('aria-busy', 'false')

async function open(page: Page, account: Parameters<typeof signIn>[1], path: string) {
  await signInAndOpen(page, account)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('back, reload and a shared link show the same list', async ({ page, context, admin }) => {
  await open(page, admin, '/incidents')
  await header(page, 'Title').getByRole('button').click()
  await expect(page).toHaveURL(/sort=title/)
  await settled(page)
  const sorted = await names(page)
  await page.getByRole('textbox', { name: 'Search incidents' }).fill('mailbox')
  await expect(page).toHaveURL(/q=mailbox/)
  await settled(page)
  const found = await names(page)
  expect(found).not.toEqual(sorted)
  const shared = page.url()

  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Search incidents' })).toHaveValue('mailbox')
  expect(await names(page)).toEqual(found)

  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Search incidents' })).toHaveValue('')
  await settled(page)
  expect(await names(page)).toEqual(sorted)

  const other = await context.newPage()
  await other.goto('/')
  // The provider's session is active.
  await other.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible()
  await other.goto(shared)
  await expect(other.getByRole('textbox', { name: 'Search incidents' })).toHaveValue('mailbox')
  expect(await names(other)).toEqual(found)
  await expect(header(other, 'Title')).toHaveAttribute('aria-sort', 'ascending')
})

test('a column header sorts ascending, descending and by default, with the mouse and with the keyboard', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/incidents')
  const title = header(page, 'Title')
  await title.getByRole('button').click()
  await expect(title).toHaveAttribute('aria-sort', 'ascending')
  await settled(page)
  const up = await names(page)
  await title.getByRole('button').press('Enter')
  await expect(title).toHaveAttribute('aria-sort', 'descending')
  await settled(page)
  expect(await names(page)).toEqual(up.toReversed())
  await title.getByRole('button').press('Enter')
  await expect(title).not.toHaveAttribute('aria-sort')
  await expect(page).toHaveURL('/incidents')
  await expect(header(page, 'Organisation').getByRole('button')).toHaveCount(0)
})

test('a filter chip is changed, removed and added with the keyboard alone', async ({
  page,
  admin,
}) => {
  await open(page, admin, `/incidents?${filterOf(LISTED)}`)
  const chip = page.getByRole('button', { name: 'Edit filter: Severity any of 3' })
  await chip.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Field')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(chip).toBeFocused()

  await page.keyboard.press('Enter')
  const low = page.getByRole('checkbox', { name: 'Low' })
  await low.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('button', { name: 'Edit filter: Severity is High or Critical' }),
  ).toBeVisible()
  await settled(page)
  await expect(page.getByRole('cell', { name: 'Low', exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await page.getByLabel('Field').selectOption('Detected')
  await page.getByRole('spinbutton', { name: 'Days' }).fill('900')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('button', { name: 'Edit filter: Detected last 900 days' }),
  ).toBeVisible()
  await expect(page.getByText(/^Incidents where Severity is High or Critical and/)).toHaveCount(1)

  await page.getByRole('button', { name: /^Remove filter: Severity/ }).press('Enter')
  await expect(page.getByRole('button', { name: /^Edit filter: Severity/ })).toHaveCount(0)
  // The chip disappears immediately, the URL changes when the list has loaded.
  await expect
    .poll(() => JSON.parse(query(page).get('filter') ?? '{}'))
    .toEqual({ all: [['detectedAt', 'gte', '@now-900d']] })
})

test('related records are chosen by name, and a shared link names them', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/incidents')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Field').selectOption('Organisation')
  await page.getByRole('textbox', { name: 'Search organisation' }).fill('Glenmore')
  await page.getByRole('checkbox', { name: 'Glenmore Foods' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  const chip = page.getByRole('button', { name: 'Edit filter: Organisation is Glenmore Foods' })
  await expect(chip).toBeVisible()
  await expect(page).toHaveURL(/filter=/)
  await page.goto(`${page.url()}&q=zzzzzzz`)
  await expect(page.getByRole('heading', { name: 'No matches for “zzzzzzz”' })).toBeVisible()
  await expect(chip).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL('/incidents')
})

test('/ focuses the search, two characters are too few, Escape clears it', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/incidents')
  const search = page.getByRole('textbox', { name: 'Search incidents' })
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('ma')
  await expect(page.getByText('Type at least 3 characters.')).toBeVisible()
  await page.keyboard.type('il/')
  await expect(search).toHaveValue('mail/')
  await expect(page).toHaveURL(/q=mail%2F/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/incidents')
})

test('columns, rows and density are stored, and overridden by a URL that sets them', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/assets')
  try {
    await page.getByRole('button', { name: 'View' }).click()
    const menu = page.getByRole('dialog', { name: 'View' })
    await menu.getByRole('checkbox', { name: 'Assigned to' }).press('Space')
    await expect(header(page, 'Assigned to')).toHaveCount(0)
    await menu.getByRole('button', { name: 'Move Kind up' }).press('Enter')
    await expect(menu.getByRole('button', { name: 'Move Kind up' })).toBeFocused()
    await menu.getByRole('radio', { name: 'Compact' }).click({ force: true })
    await expect(page).toHaveURL(/density=compact/)
    await page.keyboard.press('Escape')
    await page.getByLabel('Rows per page').selectOption('10')
    await expect(page).toHaveURL(/limit=10/)
    await settled(page)
    const chosen = query(page)

    await page.goto('/assets')
    await expect(page).toHaveURL(/columns=/)
    expect(Object.fromEntries(query(page))).toEqual(Object.fromEntries(chosen))
    await expect(page.locator('.tbl.compact')).toBeVisible()
    await expect(header(page, 'Assigned to')).toHaveCount(0)

    await page.goto('/incidents')
    await page
      .getByRole('navigation', { name: 'Records' })
      .getByRole('link', { name: /^Assets/ })
      .click()
    await expect(page).toHaveURL(/assets\?columns=/)
    await page.goBack()
    await expect(page).toHaveURL('/incidents')
    await page.goForward()
    await expect(page).toHaveURL(/assets\?columns=/)

    await page.goto('/assets?limit=50')
    await expect(header(page, 'Assigned to')).toBeVisible()
    await expect(page).toHaveURL('/assets?limit=50')
  } finally {
    await resetPreferences(page, 'assets')
  }
})

/** Other tests use the same account. */
async function resetPreferences(page: Page, path: string) {
  const token = (await storedUser(page))?.access_token
  await page.request.put(`/api/me/views/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { columns: null, limit: null, density: 'comfortable' },
  })
}

test('paging works forward and back, and shows the position', async ({ page, admin }) => {
  await open(page, admin, '/assets?limit=10&sort=name')
  await expect(page.locator('.range')).toHaveText(/^1–10 of \d+$/)
  const first = await names(page)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.locator('.range')).toHaveText(/^11–\d+ of \d+$/)
  expect(await names(page)).not.toEqual(first)
  await page.reload()
  await expect(page.locator('.range')).toHaveText(/^11–\d+ of \d+$/)
  const middle = page.url()
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page.locator('.range')).toHaveText(/^1–10 of \d+$/)
  expect(await names(page)).toEqual(first)
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await page.goto(middle)
  await expect(page.locator('.range')).toHaveText(/^\d+$/)
  await page.getByLabel('Rows per page').selectOption('25')
  await expect(page).toHaveURL('/assets?sort=name')
  await resetPreferences(page, 'assets')
})

test('a row’s menu opens the record, which links back to its list', async ({ page, admin }) => {
  await open(page, admin, '/incidents?sort=title')
  const [name = ''] = await names(page)
  await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
  // The menu's content is loaded on demand.
  await expect(page.getByRole('link', { name: `Open ${name}` })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: `Open ${name}` })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: `Open ${name}` }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(await page.evaluate(() => history.state.usr)).toEqual({ list: '?sort=title' })
})

test('a row’s menu remains open if Tab is pressed before its content has loaded', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/incidents?sort=title')
  await page.route('**/static/row-actions-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  const [name = ''] = await names(page)
  await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: `Open ${name}` })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: `Open ${name}` })).toBeFocused()
})

test('the sidebar lists the models, and a loading list already shows its columns', async ({
  page,
  admin,
}) => {
  await open(page, admin, '/incidents')
  await page.route('**/api/assets**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  const sidebar = page.getByRole('navigation', { name: 'Records' })
  await sidebar.getByRole('link', { name: /^Assets/ }).click()
  await expect(page.locator('.skel')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(rows(page).first()).toBeVisible()
  await expect(page).toHaveURL('/assets')
  await expect(page.locator('.skel')).toHaveCount(0)
})

for (const width of [1440, 390])
  test.describe(`${width} wide`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    test(`axe finds nothing in a list, its filter editor and menus, and nothing scrolls sideways (${width} wide, light and dark)`, async ({
      page,
      admin,
    }) => {
      // Signs in at a width that shows the button.
      await page.setViewportSize({ width: 1440, height: 900 })
      await open(page, admin, `/incidents?sort=-detectedAt&${filterOf(LISTED)}`)
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, 'the list')
      for (const name of ['Filter', 'Edit filter: Severity any of 3', 'View']) {
        await page.getByRole('button', { name, exact: true }).click()
        await expect(page.getByRole('dialog').locator('select, [type=radio]').first()).toBeVisible()
        // Text of the list below an open panel would be measured against the panel.
        await expectAccessible(page, name, '[role=dialog]')
        await page.keyboard.press('Escape')
      }
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await expectAccessible(page, 'a row’s menu')
      await page.goto('/incidents?q=zzzzzzzz')
      await expect(page.getByRole('heading', { name: 'No matches for “zzzzzzzz”' })).toBeVisible()
      await expectAccessible(page, 'no match')
      await page.goto('/incidents?sort=nonsense')
      await expect(page.getByText('Error loading list: 400')).toBeVisible()
      await expectAccessible(page, 'an error')
    })
  })
