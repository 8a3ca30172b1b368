import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { nthUpload, stagedFile, stubUploads, textFile, Upload } from '../../test/upload-stub.ts'
import { definitionsState, readDefinitions } from '#data/definitions.ts'
import { loadRequest } from '#data/tickets.ts'
import { RequestPage } from './request-page.tsx'

const ATTACHMENTS = { name: 'attachments', label: 'Attachments', type: 'file', max: 2 }
const BODY = { name: 'body', label: 'Message', type: 'textarea', required: true }
const definition = (fields: object[]) => ({
  path: 'tickets',
  viewData: { title: 'Tickets', displayField: 'subject', fields: [] },
  actions: ['reply', 'note'].map((name) => ({ name, label: name, done: 'Done.', fields })),
})
const TICKET = {
  id: 'ticket-1',
  version: 3,
  number: 7,
  subject: 'It does not print',
  message: 'Not a page.',
  fullName: 'Nora Visitor',
  email: 'nora@example.net',
  contactType: 'Query',
  status: 'Open',
  openedAt: '2026-11-15T08:00:00.000Z',
  labels: { attachments: [stagedFile('page.log', 2_400_000)] },
}
const MESSAGE = {
  id: 'message-1',
  ticket: 'ticket-1',
  body: 'Please try this.',
  fromStaff: true,
  createdAt: '2026-11-15T09:00:00.000Z',
  labels: {
    attachments: [
      stagedFile('driver.zip'),
      { ...stagedFile('tool.exe'), state: 'unchecked' as const },
    ],
  },
}
const REPLY = 'POST /api/tickets/ticket-1/reply'
const NOTE = 'POST /api/tickets/ticket-1/note'
const DRAFT = 'answerDraft:sub-1:ticket-1'

beforeEach(stubUploads)
afterEach(clearFeedback)

type Opening = { fields?: object[]; drafts?: Record<string, object>; answers?: object }

async function open({ fields = [BODY, ATTACHMENTS], drafts = {}, answers = {} }: Opening = {}) {
  const calls = stubServer({
    'GET /api/tickets/ticket-1': TICKET,
    'GET /api/messages': { items: [MESSAGE], next: null },
    'GET /api/tickets/ticket-1/history': { items: [], next: null },
    [REPLY]: {},
    [NOTE]: {},
    ...answers,
  })
  const page = {
    path: 'requests/:id',
    loader: ({ request }: { request: globalThis.Request }) =>
      loadRequest('ticket-1', request.signal),
    Component: RequestPage,
  }
  const opening = renderSite([page], '/requests/ticket-1', 'admin')
  for (const [key, draft] of Object.entries(drafts))
    sessionStorage.setItem(key, JSON.stringify(draft))
  const { definitions } = readDefinitions(JSON.stringify([definition(fields)]))
  definitionsState.set({ ...definitionsState.get(), definitions })
  await opening
  await screen.findByText('Please try this.')
  return calls
}

const replyBox = () => screen.findByLabelText<HTMLTextAreaElement>('Reply to client')
const chooseForReply = () => screen.getByLabelText<HTMLInputElement>('Attach files to the reply')
const chooseForNote = () => screen.getByLabelText<HTMLInputElement>('Attach files to the note')
const bodies = (calls: Awaited<ReturnType<typeof open>>, to: string) =>
  calls.filter(({ method, url }) => `${method} ${url}` === to).map(({ body }) => body)

test('messages list their files with name, size and state', async () => {
  await open()
  const [opening, answer] = screen.getAllByRole('list', { name: /attached files/ })
  expect(
    within(opening as HTMLElement).getByRole('button', { name: /page\.log/ }).textContent,
  ).toBe('page.log2.4 MB')
  expect(within(answer as HTMLElement).getAllByRole('button')).toHaveLength(1)
  expect((answer as HTMLElement).textContent).toContain('tool.exeBeing checked for malware')
})

test('a reply is sent with the files attached to it, and the note keeps its own', async () => {
  const calls = await open()
  await userEvent.upload(chooseForReply(), textFile('screen.log'))
  await userEvent.upload(chooseForNote(), textFile('internal.log'))
  ;(await nthUpload(0)).answer(201, stagedFile('screen.log'))
  ;(await nthUpload(1)).answer(201, stagedFile('internal.log'))
  await screen.findByRole('button', { name: 'Remove internal.log' })
  await userEvent.type(await replyBox(), 'See this.')
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Reply sent.')
  expect(bodies(calls, REPLY)).toEqual([{ body: 'See this.', attachments: ['id-screen.log'] }])
  expect(screen.queryByRole('button', { name: 'Remove screen.log' })).toBeNull()
  expect(sessionStorage.getItem(DRAFT)).toBeNull()
  expect(screen.getByRole('button', { name: 'Remove internal.log' })).toBeDefined()
})

test('a screenshot pasted into the text and a file dropped on it are attached', async () => {
  await open()
  fireEvent.paste(await replyBox(), { clipboardData: { files: [textFile('pasted.png')] } })
  fireEvent.drop(await replyBox(), { dataTransfer: { files: [textFile('dropped.log')] } })
  await waitFor(() =>
    expect(Upload.all.map(({ body }) => body?.name)).toEqual(['pasted.png', 'dropped.log']),
  )
})

test('a draft keeps its files as names and IDs, and they are sent after a reload', async () => {
  const file = stagedFile('screen.log')
  const calls = await open({ drafts: { [DRAFT]: { body: 'Half', files: [file] } } })
  expect((await replyBox()).value).toBe('Half')
  await userEvent.type(await replyBox(), '.')
  expect(JSON.parse(sessionStorage.getItem(DRAFT) ?? '')).toEqual({ body: 'Half.', files: [file] })
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Reply sent.')
  expect(bodies(calls, REPLY)).toEqual([{ body: 'Half.', attachments: ['id-screen.log'] }])
})

test('a reply waits for its uploads, and is sent once they are complete or cancelled', async () => {
  const calls = await open()
  await userEvent.type(await replyBox(), 'See this.')
  await userEvent.upload(chooseForReply(), textFile('slow.log'))
  await nthUpload()
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Reply: wait for the upload, or cancel it.')
  expect(bodies(calls, REPLY)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Cancel uploading slow.log' }))
  expect(screen.queryByText(/wait for the upload/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  await screen.findByText('Reply sent.')
  expect(bodies(calls, REPLY)).toEqual([{ body: 'See this.' }])
})

test('an error at the files is shown there, and they and the text are kept', async () => {
  const message = 'Attachments: a file is no longer there. Remove it and choose it again.'
  const errors = [{ field: 'attachments', message }]
  const refused = Response.json({ detail: message, errors }, { status: 422 })
  await open({
    drafts: { [DRAFT]: { body: 'Half', files: [stagedFile('old.log')] } },
    answers: { [REPLY]: refused },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Send reply' }))
  const input = chooseForReply()
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  expect((await replyBox()).value).toBe('Half')
  await userEvent.click(screen.getByRole('button', { name: 'Remove old.log' }))
  expect(input.getAttribute('aria-invalid')).toBeNull()
})

test('without files on the server the page is as before', async () => {
  await open({ fields: [BODY] })
  await replyBox()
  expect(screen.queryByLabelText(/Attach/)).toBeNull()
})
