import type { Page } from '@playwright/test'
import {
  call,
  expect,
  keycloakAdmin,
  signInAndOpen,
  test,
  unique,
  untilLink,
  untilMail,
} from './kit.ts'
import { expectAccessible } from './axe-check.ts'

const row = (page: Page, name: string) => page.locator('.people li', { hasText: name })

async function clickAndConfirm(page: Page, name: string, label: string) {
  await row(page, name).getByRole('button', { name: label }).click()
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
}

async function addClient(email: string) {
  await keycloakAdmin('POST', '/users', {
    username: email.split('@')[0],
    email,
    emailVerified: true,
    enabled: true,
    firstName: 'Cleo',
    lastName: 'Client',
    credentials: [{ type: 'password', value: 'a-long-demo-password-7' }],
  })
  const { json } = await keycloakAdmin('GET', `/users?email=${email}&exact=true`)
  return String(json[0].id)
}

async function removeAccountOf(email: string) {
  const { json } = await keycloakAdmin('GET', `/users?email=${email}&exact=true`)
  for (const { id } of json) await keycloakAdmin('DELETE', `/users/${id}`)
}

const newAddress = (name: string) => `${unique(name).replaceAll(' ', '-')}@firm.example`

test('an owner invites a colleague as a technician, and can make them an owner', async ({
  page,
  admin,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = newAddress('tom')
  await signInAndOpen(page, admin, '/desk')
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

  await signInAndOpen(theirs, { username: email, password }, '/desk')
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
  await clickAndConfirm(page, email, 'Make owner')
  await expect(row(page, email)).toContainText('Owner')
  await untilMail(email, ({ text }) => text.includes('You’ve been made an owner'))
  await clickAndConfirm(page, email, 'Disable')
  await expect(row(page, email)).toContainText('Disabled')
  await clickAndConfirm(page, email, 'Remove from staff')
  await expect(row(page, email)).toHaveCount(0)
  await theirs.close()
  await removeAccountOf(email)
})

test('an irreversible action asks for confirmation in a separate window, and then runs', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
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

test('inviting an existing staff member changes nothing', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  const email = `${admin.username}@example.test`
  const invitation = call(page, 'POST', 'people', { email, level: 'technician' })
  await expect(invitation).rejects.toThrow('This person is staff already.')
  const { items } = await call(page, 'GET', 'people')
  expect(items.find(({ isYou }: { isYou: boolean }) => isYou).level).toBe('owner')
})

test('an existing account is made staff after confirmation, notified by mail, and can be removed again', async ({
  page,
  admin,
}) => {
  const email = newAddress('cleo')
  const id = await addClient(email)
  await signInAndOpen(page, admin, '/people')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const dialog = page.getByRole('dialog', { name: 'This person has an account' })
  await expect(dialog).toContainText(
    'Cleo Client has an account. As staff they see the records of all clients. Make them staff?',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(row(page, email)).toHaveCount(0)
  expect(await rolesOf(id)).not.toContain('admin')

  await page.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByRole('button', { name: 'Make staff' }).click()
  await expect(row(page, email)).toContainText('Technician')
  await expect(page.getByLabel('Email')).toHaveValue('')
  expect(await rolesOf(id)).toContain('admin')
  await untilMail(email, ({ text }) => text.includes('You’ve been made a technician'))

  await clickAndConfirm(page, email, 'Remove from staff')
  await expect(row(page, email)).toHaveCount(0)
  expect(await rolesOf(id)).not.toContain('admin')
  await removeAccountOf(email)
})

const rolesOf = async (id: string) => {
  const { json } = await keycloakAdmin('GET', `/users/${id}/role-mappings/realm`)
  return json.map(({ name }: { name: string }) => name)
}

test('an invitation replaces an unconfirmed account', async ({ page, admin }) => {
  const email = newAddress('future')
  await keycloakAdmin('POST', '/users', {
    username: newAddress('x').split('@')[0],
    email,
    enabled: true,
  })
  const before = await keycloakAdmin('GET', `/users?email=${email}&exact=true`)
  await signInAndOpen(page, admin)
  await call(page, 'POST', 'people', { email, level: 'technician' })
  const after = await keycloakAdmin('GET', `/users?email=${email}&exact=true`)
  expect(after.json[0].id).not.toBe(before.json[0].id)
  await removeAccountOf(email)
})

test('staff who never signed in are listed, and actions on one’s own account have their own question', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin, '/people')
  // Listed by a job, as soon as the identity provider is available.
  await expect(async () => {
    await page.reload()
    for (const name of ['Admin One', 'Admin Four', 'Tech Four'])
      await expect(row(page, name)).toHaveCount(1)
  }).toPass({ timeout: 60_000 })
  await row(page, '(you)').getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog', { name: /^That’s you\. Disable/ })
  await expect(dialog).toContainText('You’ll be signed out and can’t sign in any more.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, '(you)')).toContainText('Active')
})

test('an owner removes a colleague’s lost second factor, and the colleague is notified by mail', async ({
  page,
  admin,
}) => {
  const email = newAddress('lost')
  const id = await addClient(email)
  const credential = {
    secretData: '{"value":"secret"}',
    credentialData: '{"subType":"totp","digits":6,"period":30,"algorithm":"HmacSHA1"}',
  }
  const { json } = await keycloakAdmin('GET', `/users/${id}`)
  await keycloakAdmin('PUT', `/users/${id}`, {
    ...json,
    credentials: [{ type: 'otp', ...credential }],
  })
  expect(await factorsOf(id)).toEqual(['otp', 'password'])
  await signInAndOpen(page, admin)
  await call(page, 'POST', 'people', { email, level: 'technician', existing: true })
  await page.goto('/people')
  await clickAndConfirm(page, email, 'Remove second step')
  await expect(page.getByText('The second step of Cleo Client is removed.')).toBeVisible()
  expect(await factorsOf(id)).toEqual(['password'])
  await untilMail(email, ({ text }) => text.includes('We’ve removed the second step'))
  await removeAccountOf(email)
})

const factorsOf = async (id: string) => {
  const { json } = await keycloakAdmin('GET', `/users/${id}/credentials`)
  return json.map(({ type }: { type: string }) => type).toSorted()
}

for (const width of [1440, 390])
  test(`axe finds nothing on People and in its dialogs; a step-up window closed midway keeps the input (${width} wide, light and dark)`, async ({
    page,
    admin,
  }) => {
    test.setTimeout(120_000)
    await signInAndOpen(page, admin, '/people')
    await page.setViewportSize({ width, height: 900 })
    await expect(row(page, '(you)')).toBeVisible()
    await expectAccessible(page, 'People')
    // By keyboard alone: opens the dialog and closes it with Escape.
    await row(page, '(you)').getByRole('button', { name: 'Disable' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /^That’s you/ })).toBeVisible()
    await expectAccessible(page, 'question')
    await page.keyboard.press('Escape')

    await page.route('**/api/people', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 401,
            headers: {
              'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="1"',
            },
            json: { code: 'insufficient_user_authentication', detail: 'Confirm that it’s you.' },
          })
        : route.continue(),
    )
    await page.getByLabel('Email').fill('typed@firm.example')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await expect(dialog).toBeVisible()
    await expectAccessible(page, 'step-up')
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Sign in again' }).press('Enter')
    const popup = await opened
    await popup.locator('#password').waitFor()
    await popup.close()
    // The page can't detect that the window was closed: it offers another one, and Cancel.
    const reopened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Open the window again' }).click()
    await (await reopened).close()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('Email')).toHaveValue('typed@firm.example')
  })
