import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requireLevel } from '#data/guard.ts'
import { loadRequest } from '#data/tickets.ts'
import { requestsIn, clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { RequestPage } from './request-page.tsx'

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
  dueAt: null,
  phone: null,
  callbackWish: null,
  callbackAt: null,
  lastContactAt: null,
  closedAt: null,
}
const ACT = 'POST /api/tickets/ticket-1'
const CHANGED = 'Someone changed this record after you opened it.'
let answers: Record<string, unknown>

beforeEach(() => {
  answers = {
    'GET /api/tickets/ticket-1': TICKET,
    'GET /api/messages': { items: [], next: null },
    'GET /api/tickets/ticket-1/history': { items: [], next: null },
    [`${ACT}/reply`]: {},
    [`${ACT}/note`]: {},
    [`${ACT}/close`]: {},
  }
})
afterEach(clearFeedback)

async function open(drafts: Record<string, string> = {}) {
  const calls = stubServer(answers)
  const page = {
    path: 'requests/:id',
    middleware: [requireLevel('user')],
    loader: ({ request }: { request: globalThis.Request }) =>
      loadRequest('ticket-1', request.signal),
    Component: RequestPage,
  }
  // A sign-in clears storage immediately.
  const opening = renderSite([page], '/requests/ticket-1', 'admin')
  for (const [key, value] of Object.entries(drafts)) sessionStorage.setItem(key, value)
  return { calls, router: await opening }
}

const reply = () => screen.findByLabelText<HTMLTextAreaElement>(/Reply to client/)
const note = () => screen.findByLabelText<HTMLTextAreaElement>(/Internal note/)
/** In one tick, before anything is rendered. */
const clickTwice = (button: HTMLElement) =>
  act(() => {
    button.click()
    button.click()
  })
const findButton = (name: string) => screen.findByRole('button', { name })

test.each([
  ['nora@example.net', /Emailed to nora@example\.net/],
  [null, /No email is sent/],
])('the reply box shows the recipient’s address: %s', async (email, text) => {
  answers['GET /api/tickets/ticket-1'] = { ...TICKET, email }
  await open()
  const help = (await reply()).getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(help)?.textContent).toMatch(text)
})

test('drafts of reply and note are restored only for the account that typed them', async () => {
  await open({
    'answerDraft:sub-2:ticket-1': '{"body":"Of someone else"}',
    'noteDraft:sub-1:ticket-1': '{"note":"My own"}',
    'answerDraft:ticket-1': '{"body":"Of nobody knows whom"}',
  })
  expect((await note()).value).toBe('My own')
  expect((await reply()).value).toBe('')
  await userEvent.type(await reply(), 'Half')
  expect(sessionStorage.getItem('answerDraft:sub-1:ticket-1')).toBe('{"body":"Half"}')
})

test.each([
  ['Send reply', 'reply'],
  ['Add note', 'note'],
])('%s clicked twice in one tick is sent once', async (button, path) => {
  const { calls } = await open()
  await userEvent.type(path === 'reply' ? await reply() : await note(), 'Once')
  const send = await findButton(button)
  clickTwice(send)
  await screen.findByText(path === 'reply' ? 'Reply sent.' : 'Note added.')
  expect(requestsIn(calls).filter((call) => call === `${ACT}/${path}`)).toHaveLength(1)
})

test('Close request clicked twice in one tick is sent once', async () => {
  const { calls } = await open()
  const close = await findButton('Close request')
  clickTwice(close)
  await screen.findByText('Request closed.')
  expect(requestsIn(calls).filter((call) => call === `${ACT}/close`)).toHaveLength(1)
})

test.each([
  ['Close request', 'close', 'Open', 'Closed', 'Already closed.'],
  ['Reopen request', 'reopen', 'Closed', 'Open', 'Already open.'],
])(
  '%s is not an error if another user did it meanwhile',
  async (button, path, before, after, said) => {
    answers['GET /api/tickets/ticket-1'] = { ...TICKET, status: before }
    answers[`${ACT}/${path}`] = Response.json(
      { detail: CHANGED, current: { ...TICKET, status: after } },
      { status: 412 },
    )
    await open()
    await userEvent.click(await findButton(button))
    await screen.findByText(said)
    expect(screen.queryByText(new RegExp(CHANGED))).toBeNull()
  },
)

test('closing a request that another user changed meanwhile is rejected with a message', async () => {
  answers[`${ACT}/close`] = Response.json({ detail: CHANGED, current: TICKET }, { status: 412 })
  await open()
  await userEvent.click(await findButton('Close request'))
  expect(await screen.findByText(`The request wasn’t closed. ${CHANGED}`)).toBeDefined()
})

test('a reply rejected with 401 redirects to the sign-in, and its text is kept', async () => {
  const { router } = await open()
  await userEvent.type(await reply(), 'Half')
  answers[`${ACT}/reply`] = new Response(null, { status: 401 })
  sessionStorage.removeItem('oidc.user:https://id.test/realms/gatehouse:gatehouse-web')
  await userEvent.click(await findButton('Send reply'))
  await screen.findByRole('heading', { name: 'login' })
  expect(router.state.location.search).toBe('?returnUrl=%2Frequests%2Fticket-1')
  expect(screen.queryByText('It does not print')).toBeNull()
  expect(sessionStorage.getItem('answerDraft:sub-1:ticket-1')).toBe('{"body":"Half"}')
})
