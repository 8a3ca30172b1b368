import { change, createRecord, openInSecondContext, read } from './form-kit.ts'
import { call, expect, signInAndOpen, saveButton, test, unique } from './kit.ts'

test.setTimeout(180_000)

const UNDO = { name: 'Undo' }

test('Undo of a created ticket is offered to an admin, not to a user', async ({
  page,
  browser,
  user,
  admin,
}) => {
  await signInAndOpen(page, user)
  const staff = await openInSecondContext(page, browser, admin)
  for (const [who, isOffered] of [
    [page, 0],
    [staff, 1],
  ] as const) {
    const subject = unique('Printer')
    await who.goto('/tickets/create')
    await who.locator('#field-fullName').fill('Ann Example')
    await who.locator('#field-email').fill('ann@example.test')
    await who.locator('#field-subject').fill(subject)
    await who.locator('#field-message').fill('It hums.')
    await saveButton(who).click()
    await expect(who.getByText(`Ticket (${subject}) created Successfully`)).toBeVisible()
    await expect(who.getByRole('button', UNDO)).toHaveCount(isOffered)
    if (!isOffered) continue
    await who.getByRole('button', UNDO).click()
    await expect(who.getByText('Undone')).toBeVisible()
    await who.goto(`/tickets?q=${encodeURIComponent(subject)}`)
    await expect(who.getByText(/No matches for/)).toBeVisible()
  }
  await staff.context().close()
})

test('Undo clicked in two tabs reverts a change once, and the second tab says so', async ({
  page,
  browser,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await createRecord(page, 'organisations', { name: unique('Firm'), city: 'Leeds' })
  const other = await openInSecondContext(page, browser, admin)
  await page.goto(`/organisations/edit/${firm.id}`)
  await page.locator('#field-city').fill('York')
  await saveButton(page).click()
  await expect(page.getByRole('button', UNDO)).toBeVisible()
  await other.goto(`/organisations/${firm.id}/history`)
  await other.getByRole('button', UNDO).first().click()
  await expect(other.getByText('Undone')).toBeVisible()
  await page.getByRole('button', UNDO).click()
  await expect(
    page.getByRole('alert').filter({ hasText: /^Can’t undo|can’t be undone/ }),
  ).toBeVisible()
  expect(await read(page, 'organisations', firm.id)).toMatchObject({ city: 'Leeds', version: 3 })
  await other.context().close()
})

test('Undo after another user’s change is rejected with a message, and their change is kept', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const firm = await createRecord(page, 'organisations', { name: unique('Firm'), city: 'Leeds' })
  const name = String(firm['name'])
  await page.goto(`/organisations?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', UNDO)).toBeVisible()
  await call(page, 'POST', `organisations/${firm.id}/restore`, {})
  await change(page, 'organisations', firm.id, { city: 'Bath' })
  await page.getByRole('button', UNDO).click()
  await expect(
    page.getByRole('alert').filter({ hasText: /^Can’t undo|can’t be undone/ }),
  ).toBeVisible()
  expect(await read(page, 'organisations', firm.id)).toMatchObject({ city: 'Bath' })
})
