import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { requestsIn, clearFeedback, renderSite, stubServer, type Call } from '../../../test/kit.tsx'

const ID = '0190a000-0000-7000-8000-000000000001'
const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  trash: true,
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'notes', label: 'Notes', type: 'textarea' },
      { name: 'due', label: 'Due', type: 'date' },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'people' },
    ],
  },
  authorise: { update: true, delete: true, purge: true, list: false, get: false, create: true },
}
const record = { id: ID, version: 3, title: 'Lamp', notes: 'One fine day', due: '2026-11-15' }
const step = (version: number, more: object) => ({
  version,
  action: 'update',
  at: `2026-11-1${version}T08:00:00.000Z`,
  isYou: false,
  by: 'Ada Admin',
  operation: `op-${version}`,
  changes: [],
  ...more,
})
const page = {
  items: [
    step(3, { changes: [{ field: 'notes', before: 'One day', after: 'One fine day' }] }),
    step(2, {
      isYou: true,
      changes: [{ field: 'due', before: '2026-11-14', after: '2026-11-15' }],
    }),
  ],
  next: 2,
}
const server: Record<string, unknown> = {
  [`GET /api/things/${ID}`]: Response.json(record, { headers: { etag: '"3"' } }),
  [`GET /api/things/${ID}/history`]: page,
  [`GET /api/things/${ID}/history?before=2`]: {
    items: [step(1, { action: 'create', operation: null })],
    next: null,
  },
}

afterEach(clearFeedback)

async function open(answers: Record<string, unknown> = {}, role: 'user' | 'admin' = 'admin') {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(things, `/things/${ID}/history`, role)
  await screen.findByRole('heading', { level: 1, name: 'History: Lamp' })
  return calls
}

test('every revision shows author, time, and fields before and after', async () => {
  await open()
  expect(screen.getByRole('heading', { name: 'Changed by Ada Admin' })).toBeDefined()
  const mine = screen.getByRole('heading', { name: 'Changed by you' }).closest('li')
  expect(mine?.querySelector('del')?.textContent).toContain('14 Nov 2026')
  expect(mine?.querySelector('ins')?.textContent).toContain('15 Nov 2026')
})

test('history shows a related record by name, or by id if unknown', async () => {
  const changes = [{ field: 'owner', before: 'p1', after: 'p2' }]
  await open({
    [`GET /api/things/${ID}/history`]: { items: [step(3, { changes })], next: null },
    'GET /api/people/p1': { id: 'p1', name: 'Bob' },
  })
  expect(document.querySelector('del')?.textContent).toContain('Bob')
  expect(document.querySelector('ins')?.textContent).toContain('p2')
})

test('a text is compared word by word', async () => {
  await open()
  const card = screen.getByRole('heading', { name: 'Changed by Ada Admin' }).closest('li')
  expect([...(card?.querySelectorAll('ins') ?? [])].map((one) => one.textContent)).toEqual([
    'fine ',
  ])
  expect(card?.querySelectorAll('del')).toHaveLength(0)
})

test('one field can be restored to its value before a change', async () => {
  const answer = Response.json(record, { headers: { 'operation-id': 'op-4' } })
  const calls = await open({ [`POST /api/things/${ID}/restore`]: answer })
  await userEvent.click(screen.getByRole('button', { name: 'Restore Due' }))
  expect(await screen.findByText('Due restored.')).toBeDefined()
  const sent = calls.find(({ method }) => method === 'POST')
  expect(sent?.body).toEqual({ version: 1, fields: ['due'] })
  expect(sent?.headers.get('if-match')).toBe('"3"')
})

test('a full version can be restored; without differences it says so', async () => {
  const calls = await open({ [`POST /api/things/${ID}/restore`]: record })
  await userEvent.click(screen.getByRole('button', { name: 'Restore this version' }))
  expect(await screen.findByText('This version is already current.')).toBeDefined()
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ version: 2 })
})

test('only the last operation can be undone; a rejection shows its reason', async () => {
  const refused = Response.json({ detail: 'Someone has changed it since.' }, { status: 409 })
  await open({ 'POST /api/operations/op-3/undo': refused })
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Someone has changed it since.')).toBeDefined()
})

test('older revisions load on demand', async () => {
  const calls = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Show older changes' }))
  const first = await screen.findByRole('heading', { name: 'Created by Ada Admin' })
  expect(within(first.closest('li') ?? document.body).getByText(/Version 1/)).toBeDefined()
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Show older changes' })).toBeNull(),
  )
  expect(requestsIn(calls)).toContain(`GET /api/things/${ID}/history?before=2`)
})

test('users without the right to update can’t restore', async () => {
  await open({}, 'user')
  expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Restore this version' })).toBeNull()
})

test('the newest visible revision is not called current if it is not', async () => {
  await open({ [`GET /api/things/${ID}`]: Response.json({ ...record, version: 4 }) })
  const [newest] = screen.getAllByRole('listitem').filter((item) => item.matches('.panel'))
  expect(newest?.textContent).toContain('Version 3')
  expect(newest?.textContent).not.toContain('Current')
})

/** A server with PAGE_SIZE revisions per page, and a new revision after every restore. */
function growing(versions: number) {
  const PAGE_SIZE = 25
  let newest = versions
  const upTo = (before: number) => {
    const items = Array.from({ length: Math.min(PAGE_SIZE, before - 1) }, (_, place) =>
      step(before - 1 - place, { at: '2026-11-15T08:00:00.000Z' }),
    )
    const last = items.at(-1)?.version ?? 1
    return { items, next: last > 1 ? last : null }
  }
  return {
    [`GET /api/things/${ID}`]: () => Response.json({ ...record, version: newest }),
    [`GET /api/things/${ID}/history`]: ({ url }: Call) =>
      upTo(Number(new URL(url, 'http://x').searchParams.get('before') ?? newest + 1)),
    [`POST /api/things/${ID}/restore`]: () => {
      newest += 1
      return Response.json(record, { headers: { 'operation-id': `op-${newest}` } })
    },
  }
}
const versions = () =>
  screen.getAllByRole('listitem').flatMap((one) => one.textContent.match(/Version \d+/) ?? [])
const allBelow = (newest: number) =>
  Array.from({ length: newest - 1 }, (_, place) => `Version ${newest - 1 - place}`)
async function restoreFirst(newest: number) {
  await userEvent.click(screen.getAllByRole('button', { name: 'Restore this version' })[0]!)
  await waitFor(() => expect(versions()[0]).toBe(`Version ${newest - 1}`))
}
const showOlder = () => userEvent.click(screen.getByRole('button', { name: 'Show older changes' }))

test('a restore keeps all versions listed before older ones are loaded', async () => {
  await open({ ...server, ...growing(30) })
  await restoreFirst(31)
  await showOlder()
  await waitFor(() => expect(versions()).toEqual(allBelow(31)))
})

test('a restore keeps all versions listed after older ones are loaded', async () => {
  await open({ ...server, ...growing(30) })
  await showOlder()
  await waitFor(() => expect(versions()).toEqual(allBelow(30)))
  await restoreFirst(31)
  expect(versions()).toEqual(allBelow(31))
})

test('a restore keeps the first version listed when the history grows beyond a page', async () => {
  await open({ ...server, ...growing(25) })
  await restoreFirst(26)
  expect(versions()).toEqual(allBelow(26))
  expect(screen.queryByRole('button', { name: 'Show older changes' })).toBeNull()
})
