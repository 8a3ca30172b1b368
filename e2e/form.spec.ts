import type { Page } from '@playwright/test'
import { fieldOf, createRecord, read } from './form-kit.ts'
import { expect, signInAndOpen, saveButton, test, unique } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(180_000)

const listOf = (page: Page, name: string) => page.locator(`#field-${name}-choices`)
const unsaved = (page: Page, text: string) => page.getByText(text, { exact: true })

test('a relation is found by typing and chosen with the keyboard; its record can be opened, and it can be cleared', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const name = unique('Picked')
  const organisation = await createRecord(page, 'organisations', { name })
  await page.goto('/contacts/create')
  const line = fieldOf(page, 'organisation')
  await line.focus()
  // One or two characters match the beginning, three or more search.
  const begins = page.waitForRequest((request) => request.url().includes('startsWith'))
  await page.keyboard.type('Pi')
  await begins
  const asked = page.waitForRequest((request) => request.url().includes('q=Picked'))
  await page.keyboard.type(name.slice(2))
  expect(new URL((await asked).url()).searchParams.get('limit')).toBe('20')
  await expect(listOf(page, 'organisation').getByRole('option', { name })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(line).toHaveAttribute('aria-activedescendant', 'field-organisation-choice-0')
  await page.keyboard.press('Enter')
  await expect(line).toHaveValue(name)
  await expect(line).toHaveAttribute('aria-expanded', 'false')

  // Escape restores the old value.
  await page.keyboard.type('xyz')
  await page.keyboard.press('Escape')
  await expect(line).toHaveValue(name)

  await page.getByRole('button', { name: 'Clear Organisation' }).click()
  await expect(line).toHaveValue('')
  await expect(line).toBeFocused()

  await page.route('**/api/organisations?*', (route) => route.abort())
  await line.click()
  await expect(page.locator('.picker-note')).toHaveText('Couldn’t load the options. Try again.')
  await page.unrouteAll()
  await page.keyboard.press('Escape')

  await line.fill(name)
  await listOf(page, 'organisation').getByRole('option', { name }).click()
  await page.getByRole('link', { name: `Open ${name}` }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(`/organisations/${organisation.id}`)
})

test('a related record is created in a drawer and selected', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  await page.goto('/contacts/create')
  await fieldOf(page, 'fullName').fill('Someone')
  const line = fieldOf(page, 'organisation')
  await line.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Create organisation…' })).toBeVisible()
  // Options that arrive between two keys would move the highlight.
  await expect(page.locator('#field-organisation-choices')).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Create organisation' })
  await expect(drawer).toBeVisible()

  // Asks before discarding what was typed.
  const name = unique('Drawer')
  await drawer.locator('#related-name').fill(name)
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(question).toBeHidden()

  // The same rules and the same summary, in the drawer.
  await drawer.locator('#related-name').fill('')
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(drawer.getByRole('alert')).toBeFocused()
  await drawer.locator('#related-name').fill(name)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(drawer).toBeHidden()
  await expect(line).toHaveValue(name)
  await expect(fieldOf(page, 'fullName')).toHaveValue('Someone')
  await expect(page).toHaveURL('/contacts/create')
})

test('unsaved changes are counted, guarded on leaving, and restored after a reload', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const name = unique('Draft')
  const { id } = await createRecord(page, 'organisations', { name })
  const edit = `/organisations/edit/${id}`
  await page.goto(edit)
  await fieldOf(page, 'city').fill('Cork')
  await expect(unsaved(page, '1 unsaved change')).toBeVisible()
  await page.getByRole('switch', { name: 'Sole trader' }).check()
  await expect(unsaved(page, '2 unsaved changes')).toBeVisible()

  await page.getByRole('link', { name: 'Cancel' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay on page' }).click()
  await expect(page).toHaveURL(edit)
  await expect(fieldOf(page, 'city')).toHaveValue('Cork')

  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(fieldOf(page, 'city')).toHaveValue('Cork')
  await expect(unsaved(page, '2 unsaved changes')).toBeVisible()

  await page.getByRole('link', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(`/organisations/${id}`)
  await page.goto(edit)
  await expect(fieldOf(page, 'city')).toHaveValue('Cork')

  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(fieldOf(page, 'city')).toHaveValue('')
  await expect(page.getByText(/unsaved change/)).toBeHidden()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`/organisations/${id}`)
  await page.goto(edit)
  await expect(page.getByText('Your unsaved changes were restored.')).toBeHidden()
})

test('Ctrl+S, Save and keep editing, and Save and create another save without asking about unsaved changes', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const name = unique('Ways')
  await page.goto('/organisations/create')
  await fieldOf(page, 'name').fill(name)
  await choose(page, 'Save and keep editing')
  await expect(page.getByText(`Organisation (${name}) created Successfully`)).toBeVisible()
  await expect(page).toHaveURL(/\/organisations\/edit\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'Edit organisation' })).toBeVisible()
  await expect(fieldOf(page, 'name')).toHaveValue(name)
  const edit = page.url()

  await fieldOf(page, 'city').fill('Galway')
  await choose(page, 'Save and keep editing')
  await expect(page.getByText(`Organisation (${name}) updated Successfully`)).toBeVisible()
  await expect(page.getByText(/unsaved change/)).toBeHidden()
  await expect(page).toHaveURL(edit)

  // Based on the version just saved: no conflict with one's own save.
  await fieldOf(page, 'city').fill('Limerick')
  await choose(page, 'Save and create another')
  await expect(page).toHaveURL('/organisations/create')
  await expect(fieldOf(page, 'name')).toHaveValue('')
  await fieldOf(page, 'name').fill(`${name} 2`)
  await choose(page, 'Save and create another')
  await expect(page.getByText(`Organisation (${name} 2) created Successfully`)).toBeVisible()
  await expect(fieldOf(page, 'name')).toHaveValue('')
  await fieldOf(page, 'name').fill(`${name} 3`)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText(`Organisation (${name} 3) created Successfully`)).toBeVisible()
  await expect(page).toHaveURL('/organisations')
})

test('[DYN-08] an invalid form lists the fields to fix, takes the focus and links to them', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await page.goto('/organisations/create')
  await fieldOf(page, 'employees').fill('six')
  await fieldOf(page, 'website').fill('javascript:alert(1)')
  await saveButton(page).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary).toHaveText(
    /Your changes weren’t saved\.\s+3 fields need fixing: Name, Website, Employees\./,
  )
  await summary.getByRole('link', { name: 'Employees' }).click()
  await expect(fieldOf(page, 'employees')).toBeFocused()
  await expect(page.locator('#field-employees-error')).toHaveText(
    'Enter a whole number, such as 6.',
  )
  await fieldOf(page, 'employees').fill('-1')
  await expect(page.locator('#field-employees-error')).toHaveText('Employees must be at least 0.')
  await fieldOf(page, 'employees').fill('6')
  await expect(page.locator('#field-employees-error')).toBeHidden()
})

for (const timezoneId of ['Asia/Kolkata', 'America/New_York'])
  test.describe(timezoneId, () => {
    test.use({ timezoneId })
    test(`[DYN-07] dates and times saved unchanged are stored unchanged (${timezoneId})`, async ({
      page,
      admin,
    }) => {
      await signInAndOpen(page, admin)
      const organisation = await createRecord(page, 'organisations', { name: unique('Zone') })
      const asset = await createRecord(page, 'assets', {
        name: unique('Zone'),
        kind: 'Phone',
        organisation: organisation.id,
        purchasedOn: '2026-03-29',
        warrantyUntil: '2027-10-31',
      })
      const incident = await createRecord(page, 'incidents', {
        title: unique('Zone'),
        organisation: organisation.id,
        kind: 'Data loss',
        severity: 'Low',
        // The second 01:30 of that night in New York, with seconds that no input shows.
        detectedAt: '2026-11-01T06:30:15.123Z',
        summary: 'Unchanged',
      })
      for (const [path, id] of [
        ['assets', asset.id],
        ['incidents', incident.id],
      ] as const) {
        const before = await read(page, path, id)
        await page.goto(`/${path}/edit/${id}`)
        await saveButton(page).click()
        await expect(page.getByText(/updated Successfully/).first()).toBeVisible()
        expect(await read(page, path, id)).toEqual(before)
      }
    })
  })

for (const width of [1440, 390])
  test.describe(`${width} wide`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })
    test(`axe finds nothing in a form with the picker, the drawer, the menu and the question open (${width} wide, light and dark)`, async ({
      page,
      admin,
      complaints,
    }) => {
      await signInAndOpen(page, admin)
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/incidents/create')
      await expect(saveButton(page)).toBeVisible()
      // Resizing cancels our own animations.
      complaints.splice(0)
      await saveButton(page).click()
      await page.getByRole('tab', { name: 'Preview' }).first().click()
      await expectAccessible(page, 'errors and a preview')
      await fieldOf(page, 'organisation').click()
      await expect(page.getByRole('option', { name: 'Create organisation…' })).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await expectAccessible(page, 'the picker')
      await page.getByRole('option', { name: 'Create organisation…' }).click()
      await expect(page.locator('#related-name')).toBeVisible()
      await expectAccessible(page, 'the drawer')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.getByRole('button', { name: 'More save options' }).click()
      await expectAccessible(page, 'the menu')
      await page.keyboard.press('Escape')
      await fieldOf(page, 'title').fill('Typed')
      await page.getByRole('link', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'the question')
      expect(complaints).toEqual([])
    })
  })

async function choose(page: Page, way: string) {
  await page.getByRole('button', { name: 'More save options' }).click()
  await page.getByRole('button', { name: way }).click()
}
