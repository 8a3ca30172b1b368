import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { UserManager } from 'oidc-client-ts'
import { afterEach, expect, test, vi } from 'vitest'
import { requestsIn, clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { nthUpload, stagedFile, stubUploads, textFile } from '../../test/upload-stub.ts'
import { definitionsState, readDefinitions } from '#data/definitions.ts'
import { contactMessages } from '#messages/contact.ts'
import { Contact } from './contact.tsx'

const SEND = 'POST /api/tickets'
const KEY = 'contactDraft:sub-1'
const CLAIMS = { name: 'Nora Visitor', email: 'nora@client.test' }
const TYPED = { fullName: 'Nora', email: 'nora@example.test', subject: 'Printer', message: 'Off' }

const stored = (confirmation: string) =>
  Response.json(
    { id: 'ticket-7', number: 7 },
    { status: 201, headers: { 'confirmation-email': confirmation } },
  )

afterEach(clearFeedback)

type Opening = { claims?: Record<string, unknown>; answer?: Response; path?: string }

async function open(
  role: 'user' | null,
  drafts: Record<string, object> = {},
  { claims, answer = stored('queued'), path = '/contact' }: Opening = {},
) {
  const calls = stubServer({
    [SEND]: answer,
    'GET /api/services/id-of-backups': Response.json({ name: 'Backup & Recovery' }),
  })
  const opening = renderSite([{ path: 'contact', Component: Contact }], path, role, claims)
  for (const [key, values] of Object.entries(drafts))
    sessionStorage.setItem(key, JSON.stringify(values))
  await opening
  return calls
}
const box = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}`))

test('Send message clicked twice in one tick sends one request', async () => {
  const calls = await open('user', { [KEY]: TYPED })
  await screen.findByDisplayValue('Printer')
  const send = screen.getByRole('button', { name: 'Send message' })
  act(() => {
    send.click()
    send.click()
  })
  await screen.findByText(/Your reference is #7/)
  expect(requestsIn(calls).filter((call) => call === SEND)).toHaveLength(1)
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test('a contact draft typed signed in is not shown signed out', async () => {
  await open(null, { [KEY]: { subject: 'Of an account' } })
  expect((await box('Subject')).value).toBe('')
  await userEvent.type(await box('Subject'), 'Of nobody')
  expect(sessionStorage.getItem('contactDraft:')).toContain('Of nobody')
  expect(sessionStorage.getItem(KEY)).toContain('Of an account')
})

const clickSend = async () => (await screen.findByRole('button', { name: 'Send message' })).click()

test('[CONTACT-05] name and email of the contact form are prefilled for signed-in users, never over typed text', async () => {
  await open('user', { [KEY]: { email: 'other@client.test' } }, { claims: CLAIMS })
  await screen.findByDisplayValue('Nora Visitor')
  expect((await box('Email')).value).toBe('other@client.test')
  expect(screen.queryByText(/asked to sign in/)).toBeNull()
})

test.each([
  ['replaces an untouched subject', 'Backups', 'Firewalls'],
  ['keeps a typed subject', 'Backups, please', 'Backups, please'],
])('a link with another subject %s', async (_what, subject, shown) => {
  const left = { subject, message: 'Half typed', suggested: { subject: 'Backups' } }
  await open(null, { 'contactDraft:': left }, { path: '/contact?subject=Firewalls' })
  await screen.findByDisplayValue('Half typed')
  expect((await box('Subject')).value).toBe(shown)
  await userEvent.type(await box('Message'), '.')
  expect(JSON.parse(sessionStorage.getItem('contactDraft:') ?? '')).toMatchObject({
    subject: shown,
    suggested: { subject: 'Firewalls' },
  })
})

test('[CONTACT-05] clientId and clientName come from the profile: the name, otherwise the user name', async () => {
  const calls = await open(
    'user',
    { [KEY]: TYPED },
    { claims: { name: '', preferred_username: 'nora' } },
  )
  await screen.findByDisplayValue('Printer')
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  const sent = calls.find(({ method }) => method === 'POST')?.body
  expect(sent).toEqual({ ...TYPED, contactType: 'Query', clientId: 'sub-1', clientName: 'nora' })
})

test('phone and a good time to call are sent with a callback request, and kept in the draft', async () => {
  const callback = { contactType: 'Callback', phone: '+353 20 910 0101', callbackWish: 'After ten' }
  const calls = await open('user', { [KEY]: { ...TYPED, ...callback } })
  await screen.findByDisplayValue('After ten')
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject(callback)
  expect((await box('Phone')).value).toBe('')
})

test('a service’s link sets the service of the ticket', async () => {
  const path = `/contact?${new URLSearchParams({ subject: 'Backups', service: 'id-of-backups' })}`
  const calls = await open('user', { [KEY]: { message: 'How much?' } }, { path, claims: CLAIMS })
  await screen.findByDisplayValue('Backups')
  await screen.findByText('Your message will be about our service Backup & Recovery.')
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    subject: 'Backups',
    service: 'id-of-backups',
  })
  expect((await box('Subject')).value).toBe('')
  expect(screen.queryByText(/will be about our service/)).toBeNull()
})

test('the service of a link is shown beside an older draft, and can be removed', async () => {
  const path = `/contact?${new URLSearchParams({ subject: 'Backups', service: 'id-of-backups' })}`
  const calls = await open('user', { [KEY]: TYPED }, { path })
  await screen.findByDisplayValue('Printer')
  await screen.findByText('Your message will be about our service Backup & Recovery.')
  screen.getByRole('button', { name: 'Not about it' }).click()
  await waitFor(() => expect(screen.queryByText(/will be about our service/)).toBeNull())
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  expect(calls.find(({ method }) => method === 'POST')?.body).not.toHaveProperty('service')
})

test.each([
  ['keeps the service of a link', 503, [], 1],
  ['drops the service of a link if the server rejects it', 422, ['service'], 0],
])('a failed attempt %s', async (_what, status, fields, count) => {
  const errors = fields.map((field) => ({ field, code: 'invalid', message: 'Not found' }))
  const answer = Response.json({ errors }, { status })
  await open('user', { [KEY]: TYPED }, { path: '/contact?service=id-of-backups', answer })
  const about = 'Your message will be about our service Backup & Recovery.'
  await screen.findByText(about)
  await clickSend()
  await screen.findByText(contactMessages.notSent)
  expect(screen.queryAllByText(about)).toHaveLength(count)
})

test('a phone that isn’t a number is rejected before anything is sent', async () => {
  const calls = await open('user', { [KEY]: { ...TYPED, phone: 'call me' } })
  await screen.findByDisplayValue('call me')
  await clickSend()
  await screen.findByText('Enter a phone number, such as +353 20 910 0100.')
  expect(requestsIn(calls)).not.toContain(SEND)
})

test('[CONTACT-05] the confirmation stands above the reset contact form', async () => {
  await open('user', { [KEY]: TYPED })
  await screen.findByDisplayValue('Printer')
  await clickSend()
  const note = await screen.findByRole('alert')
  const subject = await box('Subject')
  expect(subject.value).toBe('')
  expect(note.compareDocumentPosition(subject)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(note.parentElement).toBe(subject.closest('form'))
})

test.each([
  ['queued', 'Your reference is #7. We’ve emailed you a confirmation and will reply within'],
  ['omitted', 'Your reference is #7. We’ll reply within'],
])('with the confirmation %s, the contact page says “%s”', async (confirmation, words) => {
  await open('user', { [KEY]: TYPED }, { answer: stored(confirmation) })
  await screen.findByDisplayValue('Printer')
  await clickSend()
  expect((await screen.findByRole('alert')).textContent).toContain(
    `Your message has been sent!${words}`,
  )
  expect(screen.getByRole('link', { name: 'View your request' }).getAttribute('href')).toBe(
    '/requests/ticket-7',
  )
})

test('[CONTACT-03] the sign-in dialog offers Sign In, then Register, and records that Send was clicked', async () => {
  const leave = vi.spyOn(UserManager.prototype, 'signinRedirect').mockResolvedValue()
  await open(null, { 'contactDraft:': TYPED })
  await screen.findByDisplayValue('Printer')
  await clickSend()
  const dialog = await screen.findByRole('dialog')
  const names = [...dialog.querySelectorAll('.modal-footer button')].map((one) => one.textContent)
  expect(names).toEqual(['Sign In', 'Register'])
  act(() => screen.getByRole('button', { name: 'Sign In' }).click())
  expect(JSON.parse(sessionStorage.getItem('contactDraft:') ?? '')).toEqual({
    ...TYPED,
    phone: '',
    callbackWish: '',
    service: '',
    contactType: 'Query',
    isPressed: true,
  })
  await waitFor(() => expect(leave).toHaveBeenCalledOnce())
  leave.mockRestore()
})

test('[CONTACT-03] after Send and a sign-in, the contact form says so and needs one click', async () => {
  const calls = await open('user', { [KEY]: { ...TYPED, isPressed: true } })
  const note = 'You’re signed in. Check your message, then send it.'
  await screen.findByText(note)
  await userEvent.type(await box('Subject'), ' again')
  expect(screen.getByText(note)).toBeDefined()
  await clickSend()
  await screen.findByText('Your message has been sent!')
  expect(screen.queryByText(note)).toBeNull()
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    subject: 'Printer again',
  })
})

test('a contact draft that was not sent shows no sign-in note', async () => {
  await open('user', { [KEY]: TYPED })
  await screen.findByDisplayValue('Printer')
  expect(screen.queryByText(/You’re signed in/)).toBeNull()
})

test('a server’s field error is cleared when the field is corrected', async () => {
  const errors = [{ field: 'email', message: 'Email must be an email address.' }]
  const answer = Response.json({ detail: 'The record is not valid.', errors }, { status: 422 })
  await open('user', { [KEY]: TYPED }, { answer })
  await screen.findByDisplayValue('Printer')
  await clickSend()
  await screen.findByText('Your message wasn’t sent.')
  await userEvent.type(await box('Email'), 'x')
  await waitFor(() => expect(screen.queryByText('Your message wasn’t sent.')).toBeNull())
  expect(screen.queryByText('Email must be an email address.')).toBeNull()
})

test('[CONTACT-01] [CONTACT-05] the contact type is Query again after a Callback Request was sent', async () => {
  const calls = await open('user', { [KEY]: { ...TYPED, contactType: 'Callback' } })
  await screen.findByDisplayValue('Printer')
  expect(screen.getByLabelText<HTMLInputElement>('Callback Request').checked).toBe(true)
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  const query = screen.getByLabelText<HTMLInputElement>('Query')
  await waitFor(() => expect(query.checked).toBe(true))
  await userEvent.type(await box('Subject'), 'Second')
  await userEvent.type(await box('Message'), 'Again')
  await userEvent.type(await box('Full name'), 'Nora')
  await userEvent.type(await box('Email'), 'nora@example.test')
  await clickSend()
  await waitFor(() => expect(requestsIn(calls).filter((call) => call === SEND)).toHaveLength(2))
  expect(query.checked).toBe(true)
})

const TICKETS = {
  path: 'tickets',
  files: true,
  viewData: { title: 'Tickets', displayField: 'subject', fields: [] as object[] },
}
const WITH_FILES = {
  ...TICKETS,
  viewData: {
    ...TICKETS.viewData,
    fields: [
      { name: 'attachments', label: 'Attachments', type: 'file', max: 20, maxBytes: 5_000_000 },
    ],
  },
}

function setDefinitions(...given: object[]) {
  const { definitions } = readDefinitions(JSON.stringify(given))
  act(() => definitionsState.set({ ...definitionsState.get(), definitions }))
}

test('before the sign-in the contact form says that files can be attached after it', async () => {
  await open(null)
  setDefinitions(TICKETS)
  expect((await screen.findByText(contactMessages.filesSignedOut)).hidden).toBe(false)
  expect(screen.queryByLabelText(/choose/)).toBeNull()
})

test('a signed-in user’s message is sent with files, which the draft keeps until then', async () => {
  stubUploads()
  const calls = await open('user', { [KEY]: TYPED })
  await screen.findByDisplayValue('Printer')
  setDefinitions(WITH_FILES)
  await userEvent.upload(await screen.findByLabelText(/choose/), textFile('screen.log'))
  ;(await nthUpload()).answer(201, stagedFile('screen.log'))
  await screen.findByRole('button', { name: 'Remove screen.log' })
  await waitFor(() =>
    expect(JSON.parse(sessionStorage.getItem(KEY) ?? '{}')).toMatchObject({
      subject: 'Printer',
      files: [stagedFile('screen.log')],
    }),
  )
  await clickSend()
  await screen.findByText(/Your reference is #7/)
  const [sent] = calls.filter(({ method, url }) => `${method} ${url}` === SEND)
  expect(sent?.body).toMatchObject({ subject: 'Printer', attachments: ['id-screen.log'] })
  expect(screen.queryByRole('button', { name: 'Remove screen.log' })).toBeNull()
  expect(screen.getByText(contactMessages.filesSignedOut).hidden).toBe(true)
})

test('where the server takes no files, the contact form has neither input nor line', async () => {
  await open(null)
  setDefinitions({ ...TICKETS, files: undefined })
  expect(screen.getByText(contactMessages.filesSignedOut).hidden).toBe(true)
  expect(screen.queryByLabelText(/choose/)).toBeNull()
})
