import type { Page } from '@playwright/test'
import { call, expect, openSignedIn, removeAccount, test, unique, untilLink } from './kit.ts'

/** Of the person whose row it is. */
const row = (page: Page, name: string) => page.locator('.people li', { hasText: name })

test('an owner invites a colleague, who works as a technician, and can make them an owner', async ({
  page,
  admin,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = `${unique('tom').replaceAll(' ', '-')}@firm.example`
  await openSignedIn(page, admin, '/desk')
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Level').selectOption('Technician')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText(`Invitation sent to ${email}.`)).toBeVisible()
  await expect(row(page, email)).toContainText('Invited, not confirmed yet')

  const theirs = await browser.newPage()
  await theirs.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await theirs.goto(await untilLink(email))
  const password = 'a-long-demo-password-7'
  await theirs.getByRole('link', { name: /here|proceed|continue/i }).click()
  await theirs.locator('#firstName').fill('Tom')
  await theirs.locator('#lastName').fill('Technician')
  await theirs.locator('[type=submit]').click()
  await theirs.locator('#password-new').fill(password)
  await theirs.locator('#password-confirm').fill(password)
  await theirs.locator('[type=submit]').click()
  await expect(theirs.locator('#password-new')).toHaveCount(0)

  await openSignedIn(theirs, { username: email, password }, '/desk')
  await theirs.goto('/desk')
  await expect(theirs.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await expect(theirs.getByText('Open privacy requests')).toHaveCount(0)
  for (const [method, path] of [
    ['GET', 'people'],
    ['GET', 'privacyrequests'],
    ['POST', `organisations/${crypto.randomUUID()}/purge`],
  ] as const)
    await expect(call(theirs, method, path)).rejects.toThrow('Only owners can do this.')

  await page.reload()
  await expect(row(page, email)).toContainText('Active')
  await row(page, email).getByRole('button', { name: 'Make owner' }).click()
  await expect(row(page, email)).toContainText('Owner')
  // Their sessions have ended: the next sign-in brings the claim.
  await row(page, email).getByRole('button', { name: 'Disable' }).click()
  await expect(row(page, email)).toContainText('Disabled')
  await theirs.close()
  await removeAccount(email)
})

test('what can’t be undone asks to confirm in a window of its own, and is then done', async ({
  page,
  admin,
}) => {
  await openSignedIn(page, admin)
  const name = unique('Purged Ltd')
  const { id } = await call(page, 'POST', 'organisations', { name })
  await call(page, 'DELETE', `organisations/${id}`)
  const keys: (string | undefined)[] = []
  await page.route(`**/api/organisations/${id}/purge`, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    return route.fulfill({
      status: 401,
      headers: {
        'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="1"',
      },
      json: { code: 'insufficient_user_authentication', detail: 'Confirm that it’s you.' },
    })
  })
  await page.goto(`/organisations/${id}?trash=true`)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('textbox').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(dialog).toBeVisible()
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  const popup = await opened
  await popup.locator('#password').fill(admin.password)
  await popup.locator('#kc-login').click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => keys.length).toBe(2)
  expect(keys[1]).toBe(keys[0])
  await expect(async () => {
    await expect(call(page, 'GET', `organisations/${id}?trash=true`)).rejects.toThrow('404')
  }).toPass()
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test('inviting someone who is staff already changes nothing', async ({ page, admin }) => {
  await openSignedIn(page, admin)
  const email = `${admin.username}@example.test`
  const invitation = call(page, 'POST', 'people', { email, level: 'technician' })
  await expect(invitation).rejects.toThrow('This person is staff already.')
  const { items } = await call(page, 'GET', 'people')
  expect(items.find(({ isYou }: { isYou: boolean }) => isYou).level).toBe('owner')
})
