import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADMIN, ALICE, startApi, startTest, type Test } from '../../test/kit.ts'

let t: Test
let ticket: string
let empty: string
beforeAll(async () => {
  t = await startTest()
  const [first, second] = [await makeTicket(), await makeTicket()]
  ticket = first
  empty = second
  await put(ticket, { internalNotes: 'Knows the CEO' })
})
afterAll(() => t.stop())
// Events of earlier requests may still be buffered.
beforeEach(async () => {
  await readings()
  await t.database.sql('delete from security_events')
})

const put = (id: string, body: object) => t.call('PUT', `/api/tickets/${id}`, ADMIN, { body })

async function makeTicket() {
  const body = { fullName: 'Alice', email: 'a@example.test', subject: 'VPN', message: 'Slow' }
  return String((await t.call('POST', '/api/tickets', ALICE, { body })).json.id)
}

/** Recorded reads, after the buffer was written. */
async function readings() {
  await setTimeout(1_000)
  return t.database
    .sql(`select model, record, (select sub from subject_refs where ref = actor_ref) as sub
    from security_events where kind = 'read' order by id`)
}

type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string }

/** Sends the request to a new replica, which has no cached reads. */
async function request(path: string, options: RequestOptions = {}, by = ADMIN) {
  const replica = await startApi({ databaseUrl: t.database.url('gatehouse_app'), keys: t.keys })
  const headers = { authorization: `Bearer ${await t.tokenOf(by)}`, ...options.headers }
  const { status } = await fetch(`${replica.base}/api/${path}`, { ...options, headers })
  await replica.stop()
  return status
}

const filter = (condition: unknown[]) =>
  `filter=${encodeURIComponent(JSON.stringify({ all: [condition] }))}`
const read = (model: string, record: string | null) => ({ model, record, sub: ADMIN.sub })

test('a read is recorded once a day per record and person across replicas, within a second', async () => {
  for (let n = 0; n < 3; n++) await request(`tickets/${ticket}`)
  expect(await readings()).toEqual([read('tickets', ticket)])
})

test('reads of empty guarded fields, and reads by clients, are not recorded', async () => {
  await request(`tickets/${empty}`)
  await request(`tickets/${ticket}`, {}, ALICE)
  await request('tickets?limit=100')
  expect(await readings()).toEqual([])
})

test.each([
  ['history', () => request(`tickets/${ticket}/history`), () => read('tickets', ticket)],
  ['search', () => request('tickets?q=CEO'), () => read('tickets', null)],
  ['search of all models', () => request('models/search?q=CEO'), () => read('tickets', null)],
  [
    'filter',
    () => request(`tickets?${filter(['internalNotes', 'contains', 'CEO'])}`),
    () => read('tickets', null),
  ],
  [
    'neighbours',
    () => request(`tickets/${ticket}/neighbours?${filter(['internalNotes', 'contains', 'CEO'])}`),
    () => read('tickets', null),
  ],
  [
    'the response to a change',
    () =>
      request(`tickets/${ticket}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ priority: 'High' }),
      }),
    () => read('tickets', ticket),
  ],
  [
    'the rejection of a stale change',
    () =>
      request(`tickets/${ticket}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '"1"' },
        body: JSON.stringify({ priority: 'Low' }),
      }),
    () => read('tickets', ticket),
  ],
])('guarded data is recorded as read by %s', async (_name, send, expected) => {
  await send()
  expect(await readings()).toEqual([expected()])
})

test('internal messages are recorded as a read of their ticket; replies are not', async () => {
  await t.call('POST', `/api/tickets/${empty}/reply`, ADMIN, { body: { body: 'Try again' } })
  await readings()
  await t.database.sql('delete from security_events')
  await request(`messages?${filter(['ticket', 'eq', empty])}`)
  expect(await readings()).toEqual([])
  await t.call('POST', `/api/tickets/${empty}/note`, ADMIN, { body: { body: 'Owes us' } })
  await request(`messages?${filter(['ticket', 'eq', empty])}`)
  expect(await readings()).toEqual([read('tickets', empty)])
  await t.database.sql('delete from security_events')
  await request('messages')
  expect(await readings()).toEqual([read('messages', null)])
})
