import type { Browser, Page } from '@playwright/test'
import { fieldOf, createRecord, openInSecondContext, read } from './form-kit.ts'
import { expect, signInAndOpen, saveButton, signIn, test, unique } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(120_000)

type Account = Parameters<typeof signIn>[1]

test('two users’ changes to different fields of a record are merged without asking', async ({
  page,
  browser,
  admin,
}) => {
  const { id, other } = await openTwice(page, browser, admin)
  await fieldOf(other, 'website').fill('https://theirs.example')
  await saveButton(other).click()
  await expect(other.getByText(/updated Successfully/)).toBeVisible()

  await fieldOf(page, 'notes').fill('Mine')
  await saveButton(page).click()
  await expect(page.getByText(/updated Successfully/)).toBeVisible()
  await expect(page.getByText(/changes to Website are kept too\./)).toBeVisible()
  await expect(page).toHaveURL(`/organisations/${id}`)
  expect(await read(page, 'organisations', id)).toMatchObject({
    website: 'https://theirs.example',
    notes: 'Mine',
    version: 3,
  })
  await other.context().close()
})

test('two users’ changes to the same field are shown side by side, and the chosen one is saved', async ({
  page,
  browser,
  admin,
}) => {
  const { id, other } = await openTwice(page, browser, admin)
  await fieldOf(other, 'notes').fill('Their words, not the old ones')
  await fieldOf(other, 'website').fill('https://theirs.example')
  await saveButton(other).click()
  await expect(other.getByText(/updated Successfully/)).toBeVisible()

  await fieldOf(page, 'notes').fill('My words, not the old ones')
  await saveButton(page).click()
  await expect(
    page.getByRole('heading', { name: 'Someone else changed this record' }),
  ).toBeFocused()
  await expect(page.getByText('Their other changes are kept: Website.')).toBeVisible()
  const clash = page.getByRole('group', { name: 'Notes' })
  await expect(clash).toContainText('The old words')

  // Nothing is preselected.
  await page.getByRole('button', { name: 'Save merged record' }).click()
  await expect(page.getByText('Choose yours or theirs for every field, then save.')).toBeVisible()

  // Another save in between: the merge view reopens with the new values.
  await other.goto(`/organisations/edit/${id}`)
  await fieldOf(other, 'notes').fill('Their second thoughts')
  await saveButton(other).click()
  await expect(other.getByText(/updated Successfully/)).toBeVisible()
  await clash.getByRole('radio', { name: 'Notes: yours' }).check()
  await page.getByRole('button', { name: 'Save merged record' }).click()
  await expect(clash).toContainText('second thoughts')
  await expect(clash.getByRole('radio', { name: 'Notes: yours' })).not.toBeChecked()

  await clash.getByRole('radio', { name: 'Notes: yours' }).check()
  await page.getByRole('button', { name: 'Save merged record' }).click()
  await expect(page.getByText(/updated Successfully/)).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({
    website: 'https://theirs.example',
    notes: 'My words, not the old ones',
  })
  await other.context().close()
})

test('a reload during a conflict keeps the input', async ({ page, browser, admin }) => {
  const { id, other } = await openTwice(page, browser, admin)
  await fieldOf(other, 'notes').fill('Theirs')
  await saveButton(other).click()
  await expect(other.getByText(/updated Successfully/)).toBeVisible()

  await fieldOf(page, 'notes').fill('Mine')
  await saveButton(page).click()
  await expect(page.getByRole('button', { name: 'Save merged record' })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(fieldOf(page, 'notes')).toHaveValue('Mine')
  await saveButton(page).click()
  const clash = page.getByRole('group', { name: 'Notes' })
  await expect(clash).toContainText('The old words')
  await clash.getByRole('radio', { name: 'Notes: theirs' }).check()
  await page.getByRole('button', { name: 'Save merged record' }).click()
  await expect(page.getByText(/updated Successfully/)).toBeVisible()
  expect(await read(page, 'organisations', id)).toMatchObject({ notes: 'Theirs', version: 2 })
  await other.context().close()
})

test('the form says so and keeps its input if the record was deleted meanwhile', async ({
  page,
  browser,
  admin,
}) => {
  const { id, other } = await openTwice(page, browser, admin)
  await other.goto(`/organisations/delete/${id}`)
  await other.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(other.getByText(/deleted Successfully/)).toBeVisible()
  await fieldOf(page, 'notes').fill('Mine')
  await saveButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Someone deleted this record while you were editing.',
  )
  await expect(fieldOf(page, 'notes')).toHaveValue('Mine')
  await other.context().close()
})

for (const width of [1440, 390])
  test.describe(`${width} wide`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })
    test(`axe finds nothing in the merge view (${width} wide, light and dark)`, async ({
      page,
      browser,
      admin,
    }) => {
      const { other } = await openTwice(page, browser, admin)
      await fieldOf(other, 'notes').fill('Their words')
      await saveButton(other).click()
      await expect(other.getByText(/updated Successfully/)).toBeVisible()
      await other.context().close()
      await page.setViewportSize({ width, height: 900 })
      await fieldOf(page, 'notes').fill('My words')
      await saveButton(page).click()
      await expect(page.getByRole('group', { name: 'Notes' })).toBeVisible()
      await page.getByRole('radio', { name: 'Notes: yours' }).check()
      await expectAccessible(page, 'the merge view')
    })
  })

async function openTwice(page: Page, browser: Browser, admin: Account) {
  await signInAndOpen(page, admin)
  const name = unique('Conflict')
  const { id } = await createRecord(page, 'organisations', { name, notes: 'The old words' })
  const other = await openInSecondContext(page, browser, admin)
  for (const one of [page, other]) {
    await one.goto(`/organisations/edit/${id}`)
    await expect(fieldOf(one, 'notes')).toHaveValue('The old words')
  }
  return { id, other }
}
