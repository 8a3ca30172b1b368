import { createRecord } from './form-kit.ts'
import { call, expect, signInAndOpen, test, unique } from './kit.ts'
import { expectAccessible } from './axe-check.ts'
import { countPresses, presses } from './press-count.ts'

const MODELS = [
  'organisations',
  'contacts',
  'services',
  'contracts',
  'tickets',
  'messages',
  'assets',
  'incidents',
  'articles',
  'accounts',
  'privacyrequests',
]

test('one field is changed with two keys from its focus, and a related record is opened for adding with one click', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await createRecord(page, 'organisations', { name: unique('Firm'), city: 'Leeds' })
  await page.addInitScript(countPresses)
  await page.goto(`/organisations/${firm.id}`)
  const city = page.getByRole('button', { name: 'Edit City' })
  await city.focus()
  await page.keyboard.press('F2')
  await expect(page.locator('#quick-city')).toBeFocused()
  await page.locator('#quick-city').fill('York')
  await page.keyboard.press('Enter')
  await expect(page.getByText('operation on create/edit was successful')).toBeVisible()
  expect(await presses(page)).toBeLessThanOrEqual(2)
  await expect(city).toBeFocused()
  expect((await call(page, 'GET', `organisations/${firm.id}`)).city).toBe('York')

  await page.goto(`/organisations/${firm.id}`)
  await page.getByRole('button', { name: 'Add Asset' }).click()
  const form = page.getByRole('dialog', { name: 'Create Asset' })
  await form.getByLabel('Name').fill('added-02')
  await form.getByLabel('Kind').selectOption('Server')
  await expect(form.getByRole('combobox', { name: /Organisation/ })).toHaveValue(
    String(firm['name']),
  )
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const assets = page.getByRole('region', { name: 'Assets' })
  await expect(assets.getByRole('link', { name: 'added-02' })).toBeVisible()
  expect(await presses(page)).toBeLessThanOrEqual(2)
})

test('a property left unsaved stays open beside another, and is open again with the page', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await createRecord(page, 'organisations', { name: unique('Firm'), city: 'Leeds' })
  await page.goto(`/organisations/${firm.id}`)
  await expect(page.getByRole('button', { name: 'Edit City' })).toBeVisible()
  await page.keyboard.press('F2')
  await expect(page.locator('.properties [data-edit]').first()).toBeFocused()
  await page.getByRole('button', { name: 'Edit City' }).press('F2')
  await page.locator('#quick-city').fill('York')
  await page.getByRole('button', { name: 'Edit Name' }).press('Enter')
  await expect(page.locator('#quick-name')).toBeFocused()
  await expect(page.locator('#quick-city')).toHaveValue('York')

  await page.goto('/assets')
  await page.goto(`/organisations/${firm.id}`)
  await expect(page.locator('#quick-city')).toHaveValue('York')
  await expect(page.locator('#quick-name')).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Edit City' })).toBeVisible()
  await expect(page.locator('#quick-city')).toHaveCount(0)
})

// One test a model: all in one came close to two minutes.
for (const model of MODELS)
  test(`a record page of ${model} has no accessibility violations, light and dark, at 1440 and 390`, async ({
    page,
    admin,
  }) => {
    await signInAndOpen(page, admin, '/organisations')
    const { items } = await call(page, 'GET', `${model}?limit=1&total=none`)
    await page.goto(`/${model}/${items[0]?.id}`)
    await expect(page.getByRole('region', { name: 'Activity' })).toHaveAttribute(
      'aria-busy',
      'false',
    )
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, `${model} at ${width}`)
    }
  })

test('the timeline of a ticket shows its messages and changes, and notes to staff alone', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id } = await createRecord(page, 'tickets', {
    fullName: 'Nora Caller',
    email: 'nora@client.example',
    subject: unique('Printer'),
    message: 'It hums.',
  })
  await call(page, 'POST', `tickets/${id}/note`, { body: 'She called twice.' })
  await call(page, 'PUT', `tickets/${id}`, { priority: 'High' })
  await page.goto(`/tickets/${id}`)
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect(activity.locator('.inside-txt')).toHaveText('She called twice.')
  await expect(activity.getByRole('listitem').first()).toContainText('Priority')
  await expect(activity).toContainText('Created by you')
})
