import type { Page } from '@playwright/test'
import {
  acceptMailsTo,
  config,
  expect,
  mailsTo,
  signInAndOpen,
  rejectMailsTo,
  storedUser,
  test,
  unique,
} from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(120_000)

const WITHIN = { timeout: 30_000 }
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const addressOf = (name: string) =>
  `${unique(name).replaceAll(' ', '-').toLowerCase()}@example.test`

async function sendPrivacyRequest(page: Page, email: string): Promise<string> {
  const response = await page.request.post('/api/privacy/requests', {
    data: { name: 'Iris', email, subject: 'access', message: 'What is kept?', confirmed: true },
  })
  expect(response.status()).toBe(202)
  return (await response.json()).reference
}

async function rowOf(page: Page, reference: string) {
  await page.goto('/system')
  await expect(page.getByRole('heading', { name: 'Undelivered email' })).toBeVisible()
  return page
    .getByRole('region', { name: 'Undelivered email' })
    .getByRole('listitem')
    .filter({ hasText: reference })
}

test('System lists an email to a rejected address with kind, record and code, and sends it again', async ({
  page,
  admin,
}) => {
  const address = addressOf('gone')
  await rejectMailsTo(address, '550 5.1.1 No such mailbox')
  await signInAndOpen(page, admin)
  const reference = await sendPrivacyRequest(page, address)
  await expect(async () => {
    await expect(await rowOf(page, reference)).toContainText('Address refused (550 5.1.1)')
  }).toPass(WITHIN)
  const row = await rowOf(page, reference)
  await expect(row).toContainText('Confirmation of a privacy request')
  await expect(row).not.toContainText(address)
  await expect(page.getByText(/\d+ undelivered, see below\./)).toBeVisible()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectAccessible(page, `System at ${size.width}`)
  }

  await acceptMailsTo(address)
  await row
    .getByRole('button', { name: `Send again: Confirmation of a privacy request, ${reference}` })
    .click()
  await expect(page.getByText('Queued. If it fails again, it returns to this list.')).toBeVisible()
  await expect(row).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Undelivered email' })).toBeFocused()
  await expect(async () => expect(await mailsTo(address)).toHaveLength(1)).toPass(WITHIN)
  await expect(await rowOf(page, reference)).toBeHidden()
})

test('a failed resend says so and keeps the email; a list that can’t be loaded offers a retry', async ({
  page,
  admin,
}) => {
  const address = addressOf('stuck')
  await rejectMailsTo(address, '550 5.1.1 No such mailbox')
  await signInAndOpen(page, admin)
  const reference = await sendPrivacyRequest(page, address)
  await expect(async () => {
    await expect(await rowOf(page, reference)).toBeVisible()
  }).toPass(WITHIN)
  const row = await rowOf(page, reference)
  await page.route('**/api/system/mails/*/retry', (route) =>
    route.fulfill({ status: 503, body: '{"detail":"The server is busy."}' }),
  )
  await row.getByRole('button', { name: /^Send again/ }).click()
  await expect(page.getByText('Couldn’t send the email again. The server is busy.')).toBeVisible()
  await expect(row.getByRole('button', { name: /^Send again/ })).toBeEnabled()

  await page.route('**/api/system/mails', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/system')
  await expect(page.getByText('Couldn’t load undelivered email.')).toBeVisible()
  await expectAccessible(page, 'System without the list')
  await page.unroute('**/api/system/mails')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row).toBeVisible()
  await acceptMailsTo(address)
})

test('the desk shows an alert email after its first failure, until it is delivered', async ({
  page,
  admin,
}) => {
  const alertEmail = config.owner.alertEmail
  await signInAndOpen(page, admin)
  await rejectMailsTo(alertEmail, '451 4.7.1 Try again later')
  const { access_token: token } = await storedUser(page)
  const response = await page.request.post('/api/tickets', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      fullName: 'Nora Visitor',
      email: 'nora@client.example',
      subject: unique('Files are encrypted'),
      contactType: 'Report',
      message: 'All of them.',
    },
  })
  expect(response.status()).toBe(201)
  const { id, number } = await response.json()
  const alert = page.getByRole('alert').filter({ hasText: `#${number}` })
  await expect(async () => {
    await page.goto('/desk')
    await expect(alert).toContainText('Refused by the mail relay (451 4.7.1), still trying', {
      timeout: 2_000,
    })
  }).toPass(WITHIN)
  await expect(alert.getByRole('link', { name: `#${number}` })).toHaveAttribute(
    'href',
    `/requests/${id}`,
  )
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectAccessible(page, `Desk at ${size.width}`)
  }
  await acceptMailsTo(alertEmail)
  await expect(async () => {
    const mails = await mailsTo(alertEmail)
    expect(mails.some(({ subject }) => subject.includes(`#${number}`))).toBe(true)
  }).toPass(WITHIN)
  await page.goto('/desk')
  await expect(page.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await expect(alert).toBeHidden()
})

test('a privacy request is announced by mail and on the desk, which links to the open ones', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const reference = await sendPrivacyRequest(page, addressOf('asks'))
  await expect(async () => {
    const mails = await mailsTo(config.controller.privacyEmail)
    const mail = mails.find(({ subject }) =>
      subject.startsWith(`Privacy request ${reference}: access, due `),
    )
    expect(mail?.text).toMatch(/^Open it: \S+\/privacyrequests\/[0-9a-f-]{36}\s*$/)
  }).toPass(WITHIN)
  await page.goto('/desk')
  const count = page.getByRole('link', { name: 'Open privacy requests' })
  await expect(count).toContainText(/[1-9]/)
  await count.click()
  await expect(page).toHaveURL(/\/privacyrequests\?filter=/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Privacy requests')
})
