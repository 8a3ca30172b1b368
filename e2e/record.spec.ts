import type { Page } from '@playwright/test'
import { fieldOf, createRecord, openInSecondContext, read } from './form-kit.ts'
import { expect, signInAndOpen, saveButton, test, unique } from './kit.ts'

test.setTimeout(180_000)

const makeOrganisation = (page: Page, more: object = {}) =>
  createRecord(page, 'organisations', { name: unique('Firm'), country: 'GB', ...more })

test('create, edit, conflict, undo, delete and restore work with the keyboard alone', async ({
  page,
  browser,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const name = unique('Keyboard')
  await page.goto('/organisations/create')
  await reach(page, 'Name')
  await page.keyboard.type(name)
  await page.keyboard.press('Control+s')
  await expect(page.getByText(`Organisation (${name}) created Successfully`)).toBeVisible()

  await page.goto(`/organisations?q=${encodeURIComponent(name)}`)
  await clickButton(page, name)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const id = page.url().split('/').pop()?.split('?')[0] ?? ''
  await clickButton(page, 'Edit')
  await expect(page.getByRole('heading', { name: 'Edit organisation' })).toBeVisible()

  const other = await openInSecondContext(page, browser, admin)
  await other.goto(`/organisations/edit/${id}`)
  await fieldOf(other, 'city').fill('Leeds')
  await saveButton(other).click()
  await expect(other.getByText(/updated Successfully/)).toBeVisible()
  await other.context().close()

  await reach(page, 'City (optional)')
  await page.keyboard.type('York')
  await page.keyboard.press('Control+s')
  await expect(
    page.getByRole('heading', { name: 'Someone else changed this record' }),
  ).toBeFocused()
  await reach(page, 'City: yours')
  await page.keyboard.press('Space')
  await clickButton(page, 'Save merged record')
  await expect(page.getByText(`Organisation (${name}) updated Successfully`)).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({ city: 'York' })

  await undoFromToast(page)
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({ city: 'Leeds' })

  await page.goto(`/organisations/delete/${id}`)
  await expect(page.getByRole('link', { name: 'Keep record' })).toBeFocused()
  // Enabled once the dependents have loaded.
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Organisation (${name}) deleted Successfully`)).toBeVisible()
  await undoFromToast(page)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('the history shows every change, and restores it field by field', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  const { id } = await makeOrganisation(page, { notes: 'One day it rains', city: 'Leeds' })
  await page.goto(`/organisations/edit/${id}`)
  await fieldOf(page, 'notes').fill('One fine day it rains')
  await fieldOf(page, 'city').fill('York')
  await saveButton(page).click()
  await expect(page.getByText(/updated Successfully/)).toBeVisible()

  await page.getByRole('link', { name: 'History' }).click()
  const latest = page.locator('.steps > li').first()
  await expect(latest.getByRole('heading')).toHaveText('Changed by you')
  await expect(latest.locator('ins').filter({ hasText: 'fine' })).toBeVisible()
  await latest.getByRole('button', { name: 'Restore City' }).click()
  await expect(page.getByText('City restored.')).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({
    city: 'Leeds',
    notes: 'One fine day it rains',
    version: 3,
  })
  // Until the page has loaded the new version, its buttons are busy.
  await expect(page.locator('.steps > li')).toHaveCount(3)
  await page.getByRole('button', { name: 'Restore this version' }).last().click()
  await expect(page.getByText('Version 1 restored.')).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({ notes: 'One day it rains' })
})

test('[DYN-13] a single field is edited on the detail page, whose only Delete links to the delete page', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id } = await makeOrganisation(page)
  await page.goto(`/organisations/${id}`)
  const contact = page.getByRole('region', { name: 'Contact', exact: true })
  await contact.getByRole('button', { name: /empty field/ }).press('Enter')
  await page.getByRole('button', { name: 'Edit City' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /City/ })).toBeFocused()
  await page.keyboard.type('Bath')
  await page.keyboard.press('Enter')
  await expect(page.getByText('operation on create/edit was successful')).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({ city: 'Bath', version: 2 })

  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: /delete|trash/i })).toHaveCount(0)
  await expect(main.getByRole('link', { name: /delete|trash/i })).toHaveCount(1)
  await main.getByRole('link', { name: 'Delete' }).click()
  await expect(page).toHaveURL(`/organisations/delete/${id}`)
})

test('[DYN-13] a record is moved to the trash from its row, and Undo in the toast brings it back into the same list', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await makeOrganisation(page)
  const name = String(firm['name'])
  const address = `/organisations?q=${encodeURIComponent(name)}`
  await page.goto(address)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You can restore it for 30 days.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.locator('.toast-message')).toHaveText('Deleted successfully')
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
})

test('the delete page names blocking records; the trash restores a record, or purges it by name', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await makeOrganisation(page)
  const asset = await createRecord(page, 'assets', {
    name: unique('Asset'),
    kind: 'Laptop',
    organisation: firm.id,
  })
  await page.goto(`/organisations/delete/${firm.id}`)
  await expect(page.getByText(/1 asset uses it as its organisation/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled()

  const name = String(asset['name'])
  await page.goto(`/assets/delete/${asset.id}`)
  await expect(page.getByText('No other record links to this one.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`Asset (${name}) deleted Successfully`)).toBeVisible()

  await page.goto(`/assets/${asset.id}?trash=true`)
  await expect(page.getByText(/permanently deleted on/)).toBeVisible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText(`${name} restored.`)).toBeVisible()
  await expect(page).toHaveURL(`/assets/${asset.id}`)

  await page.goto(`/assets/delete/${asset.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`Asset (${name}) deleted Successfully`)).toBeVisible()
  await page.goto('/assets?trash=true')
  await page
    .getByRole('row', { name })
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete permanently' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText(`${name} permanently deleted.`)).toBeVisible()
  await expect(page.getByRole('row', { name })).toBeHidden()
})

test('previous and next follow the list the record was opened from', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  // A list that no other test changes.
  const family = unique('Walk')
  const names = ['a', 'b', 'c'].map((letter) => `${family} ${letter}`)
  for (const name of names) await createRecord(page, 'organisations', { name })
  const isAt = (name = '') =>
    expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await page.goto(`/organisations?sort=name&limit=10&q=${encodeURIComponent(family)}`)
  await page.getByRole('link', { name: names[1] ?? '', exact: true }).click()
  await isAt(names[1])
  await page.getByRole('link', { name: 'Next record' }).click()
  await isAt(names[2])
  await expect(page.getByRole('button', { name: 'Next record' })).toBeDisabled()
  await page.reload()
  await page.getByRole('link', { name: 'Previous record' }).click()
  await isAt(names[1])
  await page.getByRole('link', { name: 'Previous record' }).click()
  await isAt(names[0])
  await expect(page.getByRole('button', { name: 'Previous record' })).toBeDisabled()
})

async function reach(page: Page, name: string) {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(nameOfFocused)
    if (focused === name) return
  }
  throw new Error(`"${name}" not reached with Tab`)
}

async function clickButton(page: Page, name: string) {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

/** F6 focuses the toast, which would time out before Tab reaches it. */
async function undoFromToast(page: Page) {
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  // Waits for the next page to focus its heading.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.keyboard.press('F6')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
}

/** A simplified accessible name: aria-label, own text, or label. */
function nameOfFocused() {
  const element = document.activeElement
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
  const words = element?.getAttribute('aria-label') ?? label?.textContent ?? element?.textContent
  return words?.trim().replaceAll(/\s+/g, ' ')
}
