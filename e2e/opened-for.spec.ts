import type { Page } from '@playwright/test'
import { createAccount } from './identity-kit.ts'
import {
  call,
  expect,
  signInAndOpen,
  profileOf,
  removeAccount,
  saveButton,
  test,
  unique,
} from './kit.ts'

test.setTimeout(180_000)

async function find(page: Page, path: string, condition: unknown[]) {
  const filter = encodeURIComponent(JSON.stringify({ all: [condition] }))
  return (await call(page, 'GET', `${path}?filter=${filter}`)).items[0]
}

test('a contact can follow a ticket opened by staff, and a reply that only a manager can read says that no email was sent', async ({
  page,
  browser,
  admin,
}) => {
  const username = unique('caller').toLowerCase().replace(' ', '-')
  const account = await createAccount(username, [])
  const { sub, email } = await profileOf(browser, account)
  await signInAndOpen(page, admin)
  // An organisation with a manager who has an account.
  const managed = await find(page, 'contacts', ['email', 'eq', 'dave@example.test'])
  const fullName = unique('Caller')
  await call(page, 'POST', 'contacts', { fullName, email, organisation: managed.organisation })
  const { id: accountId } = await find(page, 'accounts', ['sub', 'eq', sub])
  await call(page, 'POST', `accounts/${accountId}/approve`)

  const subject = unique('Phoned')
  await page.goto('/tickets/create')
  await page.getByRole('combobox', { name: 'Contact' }).fill(fullName)
  await page.getByRole('option', { name: fullName }).click()
  await page.getByLabel('Subject').fill(subject)
  await page.getByRole('textbox', { name: 'Message' }).fill('They called about the printer.')
  await saveButton(page).click()
  await expect(page.getByText(`Ticket (${subject}) created Successfully`)).toBeVisible()
  const ticket = await find(page, 'tickets', ['subject', 'eq', subject])
  expect(ticket).toMatchObject({ fullName, email, clientId: sub })

  const theirs = await browser.newPage()
  await theirs.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await signInAndOpen(theirs, account, `/requests/${ticket.id}`)
  await theirs.getByLabel('Your reply').fill('Thank you.')
  await theirs.getByRole('button', { name: 'Send reply' }).click()
  await expect(theirs.getByText('Reply sent.')).toBeVisible()
  await theirs.close()

  await call(page, 'POST', `accounts/${accountId}/refuse`)
  await page.goto(`/requests/${ticket.id}`)
  await page.getByLabel('Reply to client').fill('We have ordered a new one.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Reply saved. No email was sent.')).toBeVisible()
  await page.goto(`/tickets/${ticket.id}`)
  await page.locator('.work-h').getByRole('button', { name: 'Send reply' }).click()
  const form = page.getByRole('dialog', { name: 'Send reply' })
  await form.getByLabel('Message').fill('It has arrived.')
  await form.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Reply saved. No email was sent.')).toBeVisible()
  await removeAccount(username)
})
