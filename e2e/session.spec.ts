import { changeStoredUser, expect, openAndSignIn, saveButton, test } from './kit.ts'

test.setTimeout(90_000)

test('[AUTH-08] a duplicated tab recovers, even when it renews second', async ({ page, user }) => {
  await openAndSignIn(page, user)
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => {
    window.open('/contact')
  })
  const copy = await opening
  await expect(copy.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  for (const tab of [page, copy]) await changeStoredUser(tab, { expiresIn: -5 })
  for (const tab of [page, copy]) {
    await tab.goto('/requests')
    await expect(tab.getByRole('heading', { level: 1, name: 'My requests' })).toBeVisible()
    await expect(tab.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  }
})

test('a form keeps its text if the session ends, and the next attempt succeeds', async ({
  page,
  admin,
}) => {
  await openAndSignIn(page, admin)
  await page.goto('/organisations/create')
  const name = `Half typed ${crypto.randomUUID().slice(0, 8)}`
  await page.locator('#field-name').fill(name)
  await changeStoredUser(page, { expiresIn: -5 })
  await saveButton(page).click()
  await expect(page.getByText(`Organisation (${name}) created Successfully`)).toBeVisible()
})
