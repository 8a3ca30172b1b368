import type { Page } from '@playwright/test'
import {
  expect,
  fillKeycloak,
  openAndSignIn,
  signInAndOpen,
  register,
  removeAccount,
  storedUser,
  test,
  unique,
  untilLink,
  untilMail,
} from './kit.ts'

test.setTimeout(120_000)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function fill(page: Page, { subject, email }: { subject: string; email: string }) {
  await page.getByLabel('Full name').fill('Nora Visitor')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Subject').fill(subject)
  await page
    .getByLabel('Message', { exact: true })
    .fill('Two people start on Monday.\nBoth need mail.')
}

test('[CONTACT-01] [CONTACT-02] the contact form shows errors beside the fields before it asks for a sign-in', async ({
  page,
}) => {
  await page.goto('/contact')
  await expect(page.getByRole('radio')).toHaveCount(3)
  await expect(page.getByRole('radio', { name: 'Query' })).toBeChecked()
  for (const name of ['Callback Request', 'Client Report'])
    await expect(page.getByRole('radio', { name })).not.toBeChecked()
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  expect(
    await page
      .locator('form')
      .first()
      .evaluate((form: HTMLFormElement) => form.noValidate),
  ).toBe(true)
  await page.getByRole('button', { name: 'Send message' }).click()
  for (const label of ['Full name', 'Email', 'Subject', 'Message']) {
    const field = page.getByLabel(label, { exact: true })
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(`${label} is required.`)
  }
  await expect(page.getByLabel('Full name')).toBeFocused()
  await page.getByLabel('Email').fill('nobody@')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'Enter a full email address, such as name@example.com.',
  )
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('[CONTACT-03] [CONTACT-04] a visitor is asked to sign in or register, and returns to their input', async ({
  page,
  user,
}) => {
  await page.goto('/contact')
  const subject = unique('Come back')
  await fill(page, { subject, email: 'nora@client.example' })
  await page.getByRole('radio', { name: 'Callback Request' }).check()
  await page.getByRole('button', { name: 'Send message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Authentication Required' })
  await expect(dialog).toContainText(
    'To complete this action, please sign in or register as a client.',
  )
  await expect(dialog.locator('.modal-footer').getByRole('button')).toHaveText([
    'Sign In',
    'Register',
  ])
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await fillKeycloak(page, user)
  await expect(page).toHaveURL(/\/contact$/)
  await expect(page.getByLabel('Subject')).toHaveValue(subject)
  await expect(page.getByRole('radio', { name: 'Callback Request' })).toBeChecked()
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(
    'Two people start on Monday.\nBoth need mail.',
  )
  await expect(page.getByLabel('Full name')).toHaveValue('Nora Visitor')
  await expect(page.getByRole('status').filter({ hasText: 'You’re signed in' })).toHaveText(
    'You’re signed in. Check your message, then send it.',
  )
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message has been sent!')).toBeVisible()
  await expect(page.getByText('You’re signed in.')).toBeHidden()
})

test('[CONTACT-04] Register adds mode register, and prompt=create if the provider supports it', async ({
  page,
}) => {
  await page.goto('/contact')
  await fill(page, { subject: 'Register me', email: 'nora@client.example' })
  await page.getByRole('button', { name: 'Send message' }).click()
  const authRequest = page.waitForRequest(/\/protocol\/openid-connect\/auth\?/)
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  const query = new URL((await authRequest).url()).searchParams
  expect(query.get('mode')).toBe('register')
  expect(query.get('prompt')).toBe('create')
  expect(query.get('redirect_uri')).toContain('returnUrl=%2Fcontact')
})

test('[CONTACT-05] [CONTACT-06] a message is sent once, and confirmed when it is stored, after a second at the earliest', async ({
  page,
  user,
}) => {
  await signInAndOpen(page, user, '/contact')
  await page.goto('/contact')
  const { name, email } = (await storedUser(page)).profile
  await expect(page.getByLabel('Full name')).toHaveValue(name)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByRole('main')).not.toContainText('asked to sign in')
  const subject = unique('Double click')
  await fill(page, { subject, email: `nora-${crypto.randomUUID()}@client.example` })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tickets') && request.method() === 'POST')
      sent.push(request.postData() ?? '')
  })
  const started = Date.now()
  await page.getByRole('button', { name: 'Send message' }).dblclick()
  const alert = page.getByRole('alert').filter({ hasText: 'Your message has been sent!' })
  await expect(alert).toBeVisible()
  expect(Date.now() - started).toBeGreaterThanOrEqual(1000)
  await expect(alert).toContainText(
    /Your reference is #\d+\. We’ve emailed you a confirmation and will reply within \d+ working hours\./,
  )
  expect(sent).toHaveLength(1)
  expect(JSON.parse(sent[0] ?? '')).toMatchObject({
    clientId: expect.any(String),
    clientName: name,
  })
  for (const label of ['Subject', 'Message'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
  await expect(page.getByLabel('Full name')).toHaveValue(name)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(alert).toBeVisible()
  await alert.getByRole('link', { name: 'View your request' }).click()
  await expect(heading(page, subject)).toBeVisible()
  await page.goto('/requests')
  await expect(page.getByRole('link', { name: subject })).toHaveCount(1)
})

test('[CONTACT-06] while the API fails the contact form does not claim success, and its input survives a reload', async ({
  page,
  user,
}) => {
  await signInAndOpen(page, user, '/contact')
  await page.goto('/contact')
  const subject = unique('Not lost')
  await fill(page, { subject, email: 'nora@client.example' })
  await page.route('**/api/tickets', (route) =>
    route.fulfill({ status: 503, body: '{"detail":"Try again in a moment."}' }),
  )
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message wasn’t sent.')).toBeVisible()
  await expect(page.getByText('Your message has been sent!')).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Subject')).toHaveValue(subject)
  await page.unroute('**/api/tickets')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message has been sent!')).toBeVisible()
})

test('a visitor registers while sending an enquiry, staff get a mail and reply, the client replies and closes', async ({
  page,
  browser,
  admin,
}) => {
  const name = `visitor-${crypto.randomUUID().slice(0, 8)}`
  const email = `${name}@client.example`
  const subject = unique('Mailboxes')
  await page.goto('/contact')
  await fill(page, { subject, email })
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  await register(page, { username: name, email, lastName: 'Visitor' })
  await expect(page).toHaveURL(/\/contact$/)
  await expect(page.getByLabel('Subject')).toHaveValue(subject)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message has been sent!')).toBeVisible()

  const copy = await untilMail(email, (mail) => mail.subject.includes('#'))
  const reference = /#\d+/.exec(copy.subject)?.[0] ?? ''
  await untilMail('hello@gatehouse.example', (mail) => mail.subject.includes(reference))

  await page.goto('/requests')
  await page.getByRole('link', { name: subject }).click()
  await expect(heading(page, subject)).toBeVisible()
  await expect(page.getByText('We’ll reply next')).toBeVisible()

  const desk = await browser.newPage()
  await desk.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await signInAndOpen(desk, admin)
  await desk.goto('/desk')
  await expect(heading(desk, 'Desk')).toBeVisible()
  await expect(desk.getByRole('link', { name: /Awaiting reply/ })).toBeVisible()
  await desk.goto(page.url())
  await desk.getByLabel('Internal note').fill('Internal thought')
  await desk.getByRole('button', { name: 'Add note' }).click()
  await expect(desk.getByText('Note added.')).toBeVisible()
  await desk.getByLabel('Reply to client').fill('Both mailboxes are ready.')
  await desk.getByRole('button', { name: 'Send reply' }).click()
  await expect(desk.getByText('Waiting for the client')).toBeVisible()

  const answer = await untilMail(email, (mail) => mail.text.includes('/requests/'))
  expect(answer.text).not.toContain('Internal thought')
  await page.reload()
  await expect(page.getByText('Both mailboxes are ready.')).toBeVisible()
  await expect(page.getByText('Internal thought')).toBeHidden()
  await expect(page.getByText('Your turn')).toBeVisible()
  await page.getByLabel('Your reply').fill('Thank you, they work.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Status changed to Open')).toBeVisible()
  await page.getByRole('button', { name: 'Close request' }).click()
  await expect(page.getByText('No further action')).toBeVisible()
  await expect(page.getByText('Status changed to Closed')).toBeVisible()
  await untilMail('hello@gatehouse.example', ({ subject: said }) =>
    said.startsWith(`[${reference}] Closed by the client`),
  )
  await page.getByRole('button', { name: 'Reopen request' }).click()
  await expect(page.getByRole('button', { name: 'Close request' })).toBeVisible()
  await desk.close()
  await removeAccount(name)
})

async function registerFromContact(page: Page, name: string, subject: string) {
  const email = `${name}@client.example`
  await page.goto('/contact')
  await fill(page, { subject, email: 'another@client.example' })
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  for (const [field, value] of Object.entries({
    username: name,
    email,
    firstName: 'Nora',
    lastName: 'Visitor',
  }))
    await page.locator(`#${field}`).fill(value)
  await page.locator('[type=submit]').click()
  return untilLink(email)
}

async function choosePassword(page: Page) {
  await page.locator('#password-new').fill('a-long-demo-password-7')
  await page.locator('#password-confirm').fill('a-long-demo-password-7')
  await page.locator('[type=submit]').click()
}

const savedDrafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('carried')))

test('input typed before registering is restored by the mail’s link even if the first tab was closed', async ({
  page,
  context,
}) => {
  const name = `visitor-${crypto.randomUUID().slice(0, 8)}`
  const subject = unique('First tab closed')
  const link = await registerFromContact(page, name, subject)
  await page.close()
  const later = await context.newPage()
  await later.goto(link)
  await choosePassword(later)
  await expect(later).toHaveURL(/\/contact$/)
  await expect(later.getByLabel('Subject')).toHaveValue(subject)
  await expect(later.getByRole('status').filter({ hasText: 'You’re signed in' })).toBeVisible()
  expect(JSON.stringify(await savedDrafts(later))).not.toContain(subject)
  await later.getByRole('button', { name: 'Send message' }).click()
  await expect(later.getByText('Your message has been sent!')).toBeVisible()
  await removeAccount(name)
})

test('input typed before registering is sent from one of two tabs, and the other says so', async ({
  page,
  context,
}) => {
  const name = `visitor-${crypto.randomUUID().slice(0, 8)}`
  const subject = unique('Two tabs')
  const link = await registerFromContact(page, name, subject)
  const second = await context.newPage()
  await second.goto(link)
  await choosePassword(second)
  for (const tab of [second, page])
    await expect(tab.getByLabel('Subject')).toHaveValue(subject, { timeout: 30_000 })
  await second.getByRole('button', { name: 'Send message' }).click()
  await expect(second.getByText('Your message has been sent!')).toBeVisible()
  await expect(page.getByText('You’ve sent this message from another tab.')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('')
  await page.reload()
  await expect(page.getByLabel('Subject')).toHaveValue('')
  await removeAccount(name)
})

test('input typed before registering is never shown to another user of the same computer', async ({
  page,
  context,
  user,
}) => {
  const name = `visitor-${crypto.randomUUID().slice(0, 8)}`
  const subject = unique('Not yours')
  await registerFromContact(page, name, subject)
  await page.close()
  const other = await context.newPage()
  await openAndSignIn(other, user, '/contact')
  await expect(other.getByLabel('Full name')).not.toHaveValue('')
  await expect(other.getByLabel('Subject')).toHaveValue('')
  expect(await savedDrafts(other)).toEqual([])
  await removeAccount(name)
})

test('My requests is for signed-in users only, the desk for staff only', async ({ page, user }) => {
  await page.goto('/requests')
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Frequests$/)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await fillKeycloak(page, user)
  await expect(page).toHaveURL(/\/requests$/)
  await expect(heading(page, 'My requests')).toBeVisible()
  await page.goto('/desk')
  await expect(page).toHaveURL(/\/unauthorised$/)
})
