import type { Page } from '@playwright/test'
import { call, expect, signInAndOpen, profileOf, test, unique } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(120_000)

const open = async (page: Page) =>
  (await call(page, 'POST', 'tickets', {
    fullName: 'Nora Visitor',
    email: `nora-${crypto.randomUUID().slice(0, 8)}@client.example`,
    subject: unique('Acts'),
    message: 'It does not print.',
  })) as { id: string; subject: string }

async function accountOf(page: Page, sub: string) {
  const filter = encodeURIComponent(JSON.stringify({ all: [['sub', 'eq', sub]] }))
  return (await call(page, 'GET', `accounts?filter=${filter}`)).items[0]
}

test('adding a note and closing on the record page sends nothing typed, and Undo reopens', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id } = await open(page)
  await page.goto(`/tickets/${id}`)
  const acts = page.locator('.work-h')
  await acts.getByRole('button', { name: 'Add note' }).click()
  const form = page.getByRole('dialog', { name: 'Add note' })
  await form.getByLabel('Internal note').fill('Never to the client')
  await form.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('Note added.')).toBeVisible()
  await expect(form).toHaveCount(0)
  await acts.getByRole('button', { name: 'Close request' }).click()
  await expect(page.getByText('Request closed.')).toBeVisible()
  await expect(acts.getByRole('button', { name: 'Reopen request' })).toBeVisible()
  await expect(acts.getByRole('button', { name: 'Close request' })).toHaveCount(0)
  const filter = encodeURIComponent(JSON.stringify({ all: [['ticket', 'eq', id]] }))
  const { items } = await call(page, 'GET', `messages?filter=${filter}`)
  expect(items).toMatchObject([{ body: 'Never to the client', internal: true }])
  await page
    .getByRole('status')
    .filter({ hasText: 'Request closed.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(acts.getByRole('button', { name: 'Close request' })).toBeVisible()
})

test('an action that another user already took says so and shows the current record', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id, subject } = await open(page)
  await page.goto('/tickets')
  await page.getByRole('button', { name: `Actions for ${subject}` }).click()
  await call(page, 'POST', `tickets/${id}/close`)
  await page.getByRole('button', { name: 'Close request' }).click()
  await expect(page.getByText(/changed this record after you opened it|possible now/)).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${subject}` }).click()
  await expect(page.getByRole('button', { name: 'Reopen request' })).toBeVisible()
})

test('an action’s form works by keyboard alone, and asks before it closes with unsaved text', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id, subject } = await open(page)
  await page.goto(`/tickets/${id}`)
  const reply = page.locator('.work-h').getByRole('button', { name: 'Send reply' })
  await reply.focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Send reply' })
  await expect(form.getByLabel('Message')).toBeVisible()
  while (!(await form.getByLabel('Message').evaluate((box) => box === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.type('We are on it.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Close without saving?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form.getByLabel('Message')).toHaveValue('We are on it.')
  const send = form.getByRole('button', { name: 'Send reply' })
  while (!(await send.evaluate((button) => button === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Reply sent.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
})

test('access is approved on the desk and undone; accounts can’t be edited', async ({
  page,
  browser,
  admin,
  user,
}) => {
  const { sub, name, email } = await profileOf(browser, user)
  await signInAndOpen(page, admin)
  const account = await accountOf(page, sub)
  // Limits the desk to one access request, without those of other tests.
  await page.route(
    (url) => url.pathname === '/api/accounts' && url.search.includes('asked'),
    (route) =>
      route.fulfill({ json: { items: [account], next: null, previous: null, total: null } }),
  )
  const contacts = encodeURIComponent(JSON.stringify({ all: [['email', 'eq', email]] }))
  const { items } = await call(page, 'GET', `contacts?filter=${contacts}`)
  const contact = items[0] ?? (await call(page, 'POST', 'contacts', { fullName: 'Contact', email }))

  await page.goto('/desk')
  await page.getByRole('button', { name: `Approve access for ${name}` }).click()
  await expect(page.getByText(`${name} now has access.`)).toBeVisible()
  expect(await call(page, 'GET', `contacts/${contact.id}`)).toMatchObject({ userSub: sub })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await call(page, 'GET', `contacts/${contact.id}`)).toMatchObject({ userSub: null })
  expect((await accountOf(page, sub)).link).toBe(account.link)

  await page.goto(`/accounts/${account.id}`)
  await expect(page.getByRole('button', { name: 'Approve access' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Edit' })).toHaveCount(0)
})

for (const width of [1440, 390])
  test(`axe finds nothing in a record’s actions, their form and an account (${width} wide, light and dark)`, async ({
    page,
    admin,
  }) => {
    await signInAndOpen(page, admin)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { id, subject } = await open(page)
    await page.goto(`/tickets/${id}`)
    const note = page.locator('.work-h').getByRole('button', { name: 'Add note' })
    await expect(note).toBeVisible()
    await expectAccessible(page, 'the acts of a ticket')
    await note.click()
    await expect(page.getByRole('dialog').getByLabel('Internal note')).toBeVisible()
    await expectAccessible(page, 'the form of an act')
    await page.goto('/tickets')
    await page.getByRole('button', { name: `Actions for ${subject}` }).click()
    await expectAccessible(page, 'the menu of a row')
    const { items } = await call(page, 'GET', 'accounts?limit=1')
    await page.goto(`/accounts/${items[0].id}`)
    await expect(page.getByRole('button', { name: /access$/ }).first()).toBeVisible()
    await expectAccessible(page, 'an account')
  })
