import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { requestsIn, clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { loadSystem, System } from './system.tsx'

const STATUS = {
  release: '0.1.0',
  api: '3.0.0',
  notice: '1.0',
  startedAt: '2026-11-15T08:00:00.000Z',
  migrations: { latest: '0001.sql', missing: [], unknown: [] },
  jobs: [],
  mails: { waiting: 0, oldestSeconds: 0, dead: 0, hasRelay: true },
  trash: { refused: { count: 0, records: [] } },
  identity: { isUp: true, confirmedAt: null },
  backup: { isWatched: false, finishedAt: null },
}
const mail = (number: number, more: object = {}) => ({
  id: `0190a000-0000-7000-8000-00000000000${number}`,
  kind: 'ticket-received',
  record: { model: 'tickets', id: `ticket-${number}`, reference: `#${number}` },
  code: '550 5.1.1',
  failedAt: '2026-11-15T08:00:00.000Z',
  attempts: 1,
  canRetry: true,
  ...more,
})
const RETRY = `POST /api/system/mails/${mail(3).id}/retry`

afterEach(clearFeedback)

async function open(answers: Record<string, unknown>, mails: object = {}) {
  const system = { ...STATUS, mails: { ...STATUS.mails, ...mails } }
  const calls = stubServer({ 'GET /api/system': system, ...answers })
  await renderSite(
    [
      {
        path: 'system',
        loader: ({ request }) => loadSystem(request.signal),
        Component: System,
      },
    ],
    '/system',
    'admin',
  )
  const list = await screen.findByRole('region', { name: 'Undelivered email' })
  return { calls, list: within(list) }
}

test('the list of undelivered emails says if it is empty', async () => {
  const { list } = await open({ 'GET /api/system/mails': { items: [], next: null } })
  expect(list.getByText('No undelivered email.')).toBeDefined()
})

test('further pages of undelivered emails load on demand; a failed page offers a retry', async () => {
  const next = mail(2).id
  const { list } = await open({
    'GET /api/system/mails': { items: [mail(3), mail(2)], next },
    [`GET /api/system/mails?after=${next}`]: new Response(null, { status: 503 }),
  })
  expect(list.getAllByRole('listitem')).toHaveLength(2)
  await userEvent.click(list.getByRole('button', { name: 'Show more' }))
  expect(await list.findByText('Couldn’t load more.')).toBeDefined()
  stubServer({ [`GET /api/system/mails?after=${next}`]: { items: [mail(1)], next: null } })
  await userEvent.click(list.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(3))
  expect(list.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('an email without an address can’t be resent, and says so', async () => {
  const { list } = await open({
    'GET /api/system/mails': { items: [mail(3, { canRetry: false })], next: null },
  })
  expect(list.getByText('Can’t be sent again: the address was deleted.')).toBeDefined()
  expect(list.queryByRole('button')).toBeNull()
})

test('an email is resent once, and a rejection is shown', async () => {
  const { list, calls } = await open({
    'GET /api/system/mails': { items: [mail(3)], next: null },
    [RETRY]: Response.json({ detail: 'The address was deleted after 7 days.' }, { status: 409 }),
  })
  await userEvent.click(
    list.getByRole('button', { name: 'Send again: Confirmation of a request, #3' }),
  )
  expect(
    await screen.findByText(/Couldn’t send the email again\. The address was deleted/),
  ).toBeDefined()
  expect(requestsIn(calls).filter((call) => call === RETRY)).toHaveLength(1)
  expect(list.getAllByRole('listitem')).toHaveLength(1)
})

test('System says that email is queued if no relay is configured', async () => {
  await open(
    { 'GET /api/system/mails': { items: [], next: null } },
    { waiting: 2, oldestSeconds: 60, hasRelay: false },
  )
  expect(
    screen.getByText(
      '2 queued, oldest 1 min. No relay is configured: email stays queued until SMTP_URL is set.',
    ),
  ).toBeDefined()
})
