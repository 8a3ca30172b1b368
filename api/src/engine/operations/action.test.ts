import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  ADMIN,
  ALICE,
  BOB,
  CONFIG,
  startApi,
  startTest,
  type Person,
  type Test,
  untilEarlyInTheMinute,
} from '../../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest({ models })
})
afterAll(() => t.stop())
beforeEach(() => t.database.sql('delete from outbox; delete from write_counts'))

const VICTIM = 'victim@example.test'
const DESK = CONFIG.owner.email
const ACTS = ['reply', 'note', 'close', 'reopen'] as const
type Act = (typeof ACTS)[number]
type Sent = { body?: object; headers?: Record<string, string> }

const PROVEN = { ...ALICE, sub: 'sub-proven', email: 'alice@example.test', emailVerified: true }

async function open(person: Person = ALICE) {
  const body = {
    fullName: 'Alice Example',
    email: 'alice@example.test',
    subject: 'Printer',
    message: 'It does not print.',
  }
  const { status, json, text } = await t.call('POST', '/api/tickets', person, { body })
  expect(status, text).toBe(201)
  await t.database.sql('delete from outbox')
  return String(json.id)
}

const act = (person: Person, id: string, name: Act, sent: Sent = {}) =>
  t.call('POST', `/api/tickets/${id}/${name}`, person, sent)

async function done(person: Person, id: string, name: Act, sent: Sent = {}) {
  const response = await act(person, id, name, sent)
  expect(response.status, response.text).toBe(200)
  return response
}

const ticketOf = async (id: string) => (await t.call('GET', `/api/tickets/${id}`, ADMIN)).json

async function messagesOf(person: Person, ticket: string) {
  const filter = encodeURIComponent(JSON.stringify({ all: [['ticket', 'eq', ticket]] }))
  return (await t.call('GET', `/api/messages?filter=${filter}`, person)).json.items
}

test('a staff reply returns the ticket and is mailed to the client, even five in a row', async () => {
  const id = await open()
  for (let n = 0; n < 5; n++) {
    const { json } = await done(ADMIN, id, 'reply', { body: { body: `Reply ${n}` } })
    expect(json).toMatchObject({ id, status: 'Waiting for client', version: n + 2 })
  }
  expect(await messagesOf(ALICE, id)).toHaveLength(5)
  expect((await t.mails()).map(({ to }) => to)).toEqual(Array(5).fill('alice@example.test'))
})

test('a staff reply may set the status, a client’s may not', async () => {
  const id = await open()
  const closing = { body: { body: 'Done.', status: 'Closed' } }
  expect((await done(ADMIN, id, 'reply', closing)).json).toMatchObject({ status: 'Closed' })
  expect(await messagesOf(ALICE, id)).toMatchObject([{ body: 'Done.', setsStatus: 'Closed' }])
  expect((await t.mails())[0]?.text).toContain('The request is now closed.')
  expect((await act(ALICE, id, 'reply', closing)).status).toBe(422)
  const resolved = { body: { body: 'Done.', status: 'Resolved' } }
  expect((await act(ADMIN, id, 'reply', resolved)).status).toBe(422)
  const { json } = await done(ALICE, id, 'reply', { body: { body: 'Not quite.' } })
  expect(json).toMatchObject({ status: 'Open', closedAt: null })
})

test('a note is internal: no mail, no change to the ticket, invisible to the client', async () => {
  const id = await open()
  const before = await ticketOf(id)
  const noted = await done(ADMIN, id, 'note', { body: { body: 'never-outside' } })
  expect(noted.json).toEqual(before)
  await done(ADMIN, id, 'close')
  await done(ADMIN, id, 'reopen')
  expect(await messagesOf(ADMIN, id)).toMatchObject([{ body: 'never-outside', internal: true }])
  expect(await messagesOf(ALICE, id)).toEqual([])
  expect(JSON.stringify(await t.mails())).not.toContain('never-outside')
})

test('close and reopen reject any property in the body', async () => {
  const id = await open()
  for (const name of ['close', 'reopen'] as const)
    for (const body of [{ body: 'x' }, { internal: true }, { status: 'Closed' }])
      for (const person of [ALICE, ADMIN])
        expect((await act(person, id, name, { body })).status).toBe(422)
  expect(await ticketOf(id)).toMatchObject({ status: 'New', version: 1 })
  await done(ALICE, id, 'close', { body: {} })
  expect(await messagesOf(ADMIN, id)).toEqual([])
})

test('close and reopen mail a fixed text to the other party', async () => {
  const id = await open(PROVEN)
  const { number } = await ticketOf(id)
  const link = `${CONFIG.site.url}/requests/${id}`

  const { json } = await done(ADMIN, id, 'close')
  expect(json).toMatchObject({ status: 'Closed', closedAt: expect.any(String) })
  expect(await t.mails()).toMatchObject([
    {
      to: 'alice@example.test',
      subject: `Re: [#${number}] Printer`,
      text: expect.stringContaining(
        `We’ve closed this request. If something is missing, reopen it here:\n${link}`,
      ),
    },
  ])
  await done(PROVEN, id, 'reopen')
  expect(await t.mails()).toMatchObject([
    { to: DESK, subject: `[#${number}] Reopened by the client: Printer` },
  ])
  await done(PROVEN, id, 'close')
  expect(await t.mails()).toMatchObject([
    { to: DESK, subject: `[#${number}] Closed by the client: Printer` },
  ])
  await done(ADMIN, id, 'reopen')
  expect(await t.mails()).toMatchObject([
    {
      to: 'alice@example.test',
      text: expect.stringContaining('We’ve reopened this request and will get back to you.'),
    },
  ])
})

test.each([
  ['nobody has verified', { emailVerified: false }],
  ['that is not the account’s', { email: 'mallory@example.test', emailVerified: true }],
])(
  'no mail with a visitor’s text is sent to an address %s; a staff reply is',
  async (_which, facts) => {
    const sub = `sub-${crypto.randomUUID()}`
    const mallory = { sub, name: 'Typed Name', role: 'user' as const, email: VICTIM, ...facts }
    const body = {
      fullName: 'Typed Person',
      email: VICTIM,
      subject: 'Typed subject https://evil.example',
      message: 'Typed message',
    }
    const { json } = await t.call('POST', '/api/tickets', mallory, { body })
    const sent = await t.mails()
    for (const name of ['close', 'reopen', 'reply'] as const) {
      await done(ADMIN, json.id, name, name === 'reply' ? { body: { body: 'Staff’s words' } } : {})
      sent.push(...(await t.mails()))
    }
    const mails = sent.filter(({ to }) => to === VICTIM)
    expect(mails).toHaveLength(4)
    expect(JSON.stringify(mails)).not.toMatch(/typed|evil/i)
    expect(mails[1]?.subject).toBe(`Re: [#${json.number}] Your request to ${CONFIG.site.name}`)
    expect(mails[3]?.text).toContain('Staff’s words')
  },
)

test('a mail about an outdated status is not sent', async () => {
  const id = await open()
  const { headers } = await done(ADMIN, id, 'close')
  await t.call('POST', `/api/operations/${headers.get('operation-id')}/undo`, ADMIN)
  expect(await ticketOf(id)).toMatchObject({ status: 'New', closedAt: null })
  expect(await t.mails()).toEqual([])
})

test('an action that doesn’t apply now returns 409 not-now and changes nothing', async () => {
  const id = await open()
  for (const person of [ALICE, ADMIN]) {
    expect((await act(person, id, 'reopen')).json).toMatchObject({ status: 409, code: 'not-now' })
  }
  await done(ALICE, id, 'close')
  for (const person of [ALICE, ADMIN])
    expect((await act(person, id, 'close')).json).toMatchObject({ status: 409, code: 'not-now' })
  expect(await ticketOf(id)).toMatchObject({ status: 'Closed', version: 2 })
  await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body: { status: 'Resolved' } })
  expect((await done(ALICE, id, 'reopen')).json).toMatchObject({ status: 'Open' })
})

test('anonymous callers must sign in, clients act on their own tickets, only admins write notes', async () => {
  const own = await open()
  const input = (name: Act) => ({
    body: name === 'reply' || name === 'note' ? { body: 'x' } : {},
  })
  const status = async (person: Person, name: Act) => {
    const id = name === 'reopen' ? await closed() : await open()
    return (await act(person, id, name, input(name))).status
  }
  const closed = async () => {
    const id = await open()
    await done(ADMIN, id, 'close')
    return id
  }
  const matrix = []
  for (const name of ACTS)
    matrix.push([
      name,
      ...(await Promise.all([null, BOB, ALICE, ADMIN].map((one) => status(one, name)))),
    ])
  expect(matrix).toEqual([
    ['reply', 401, 404, 200, 200],
    ['note', 401, 403, 403, 200],
    ['close', 401, 404, 200, 200],
    ['reopen', 401, 404, 200, 200],
  ])
  for (const name of ACTS)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await t.call(method, `/api/tickets/${own}/${name}`, ADMIN)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  expect((await act(ADMIN, own, 'close', { body: [] as object })).status).toBe(400)
  expect((await act(ADMIN, 'nonsense', 'close')).status).toBe(404)
  await t.call('DELETE', `/api/tickets/${own}`, ADMIN)
  for (const name of ACTS) expect((await act(ADMIN, own, name, input(name))).status).toBe(404)
})

test('an action on an invisible ticket is rejected like one on a missing ticket', async () => {
  const id = await open()
  for (const name of ['reply', 'close', 'reopen'] as const) {
    const sent = name === 'reply' ? { body: { body: 'x' } } : {}
    const [foreign, absent] = [
      await act(BOB, id, name, sent),
      await act(BOB, crypto.randomUUID(), name, sent),
    ]
    expect({ ...foreign.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
  }
  expect(await ticketOf(id)).toMatchObject({ status: 'New', version: 1 })
})

test('a manager acts on the tickets of the organisation, a viewer does not', async () => {
  const make = async (path: string, body: object) =>
    (await t.call('POST', `/api/${path}`, ADMIN, { body })).json.id
  const organisation = await make('organisations', { name: 'North', country: 'IE' })
  for (const [sub, portalRole] of Object.entries({ manager: 'manager', viewer: 'viewer' })) {
    const email = `${sub}@example.test`
    const contact = await make('contacts', { fullName: sub, email, organisation, portalRole })
    await t.database.sql('update contacts set user_sub = $1 where id = $2', [sub, contact])
  }
  const id = await open()
  await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body: { organisation } })
  const person = (sub: string) => ({ sub, name: sub, role: 'user' as const })
  expect((await act(person('viewer'), id, 'close')).status).toBe(404)
  await done(person('manager'), id, 'close')
  await done(person('manager'), id, 'reply', { body: { body: 'We still need it.' } })
  expect(await messagesOf(ALICE, id)).toMatchObject([{ authorName: 'manager', fromStaff: false }])
})

test('an action with a stale If-Match returns 412 with the current ticket and sends no mail', async () => {
  const id = await open()
  await done(ADMIN, id, 'reply', { body: { body: 'First' } })
  await t.database.sql('delete from outbox')
  const headers = { 'if-match': '"1"' }
  for (const name of ['reply', 'note', 'close'] as const) {
    const stale = await act(ADMIN, id, name, {
      headers,
      body: name === 'close' ? {} : { body: 'x' },
    })
    expect([stale.status, stale.json.current.version]).toEqual([412, 2])
  }
  expect(await messagesOf(ADMIN, id)).toHaveLength(1)
  expect(await t.mails()).toEqual([])
  const fresh = await done(ADMIN, id, 'close', { headers: { 'if-match': '"2"' } })
  expect(fresh.headers.get('etag')).toBe('"3"')
})

test('a repeated action runs once, and returns the current ticket and the first operation', async () => {
  const id = await open()
  for (const [name, body] of [
    ['reply', { body: 'Once' }],
    ['note', { body: 'Once, inside' }],
    ['close', {}],
  ] as const) {
    const headers = { 'idempotency-key': `${name}-${id}` }
    const first = await done(ADMIN, id, name, { body, headers })
    await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body: { tags: [`after-${name}`] } })
    const again = await done(ADMIN, id, name, { body, headers })
    expect(again.headers.get('operation-id')).toBe(first.headers.get('operation-id'))
    expect(again.headers.get('operation-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(again.json).toMatchObject({ tags: [`after-${name}`] })
  }
  expect(await messagesOf(ADMIN, id)).toHaveLength(2)
  expect(await t.mails()).toHaveLength(2)
})

test('an idempotency key is valid for one action, ticket and body', async () => {
  const [one, other] = [await open(), await open()]
  const headers = { 'idempotency-key': `mixed-${one}` }
  const sent = { body: { body: 'Hello' }, headers }
  await done(ADMIN, one, 'reply', sent)
  for (const [id, name, body] of [
    [other, 'reply', sent.body],
    [one, 'note', sent.body],
    [one, 'close', {}],
    [one, 'reply', { body: 'Other words' }],
  ] as const)
    expect((await act(ADMIN, id, name, { body, headers })).json).toMatchObject({
      status: 422,
      code: 'key-reused',
    })
  const created = await t.call('POST', '/api/messages', ADMIN, {
    body: { ticket: one, body: 'Hello' },
    headers,
  })
  expect(created.json).toMatchObject({ code: 'key-reused' })
})

test('a retry returns 404 if the caller no longer sees the ticket, and a rejected request stores no key', async () => {
  const id = await open()
  const headers = { 'idempotency-key': `lost-${id}` }
  const sent = { body: { body: 'Mine' }, headers }
  await done(ALICE, id, 'reply', sent)
  await t.call('PUT', `/api/tickets/${id}`, ADMIN, {
    body: { clientId: BOB.sub, email: 'bob@example.test' },
  })
  expect((await act(ALICE, id, 'reply', sent)).status).toBe(404)
  expect(await messagesOf(ADMIN, id)).toHaveLength(1)

  const later = { headers: { 'idempotency-key': `later-${id}` } }
  expect((await act(BOB, id, 'reopen', later)).status).toBe(409)
  await done(BOB, id, 'close')
  await done(BOB, id, 'reopen', later)
})

test('operation-id is sent to callers who may undo, and undo reverts everything', async () => {
  const id = await open()
  expect((await done(ALICE, id, 'close')).headers.get('operation-id')).toBeNull()
  const reply = { body: { body: 'Back to you' } }
  expect((await done(ALICE, id, 'reply', reply)).headers.get('operation-id')).toBeNull()
  const before = await ticketOf(id)
  const { headers } = await done(ADMIN, id, 'reply', reply)
  const undone = await t.call(
    'POST',
    `/api/operations/${headers.get('operation-id')}/undo`,
    ADMIN,
    {},
  )
  expect(undone.status).toBe(200)
  const { status, lastContactAt } = await ticketOf(id)
  expect({ status, lastContactAt }).toEqual({
    status: before.status,
    lastContactAt: before.lastContactAt,
  })
  expect(await messagesOf(ALICE, id)).toHaveLength(1)
})

test('only the server writes setsStatus', async () => {
  const id = await open()
  await done(ADMIN, id, 'reply', { body: { body: 'Done.', status: 'Closed' } })
  const [message] = await messagesOf(ADMIN, id)
  for (const person of [ALICE, ADMIN]) {
    const body = { ticket: id, body: 'x', setsStatus: 'Closed' }
    expect((await t.call('POST', '/api/messages', person, { body })).status).toBe(422)
  }
  const url = `/api/messages/${message.id}`
  expect((await t.call('PUT', url, ADMIN, { body: { setsStatus: 'Open' } })).status).toBe(422)
  expect((await t.call('GET', url, ALICE)).json).toMatchObject({ setsStatus: 'Closed' })
})

test('`internal` can’t be changed by PUT, restoring a version or undo', async () => {
  const id = await open()
  await done(ADMIN, id, 'note', { body: { body: 'inside' } })
  await done(ADMIN, id, 'reply', { body: { body: 'outside' } })
  for (const { id: message, internal } of await messagesOf(ADMIN, id)) {
    const url = `/api/messages/${message}`
    for (const other of [!internal, null]) {
      const changed = await t.call('PUT', url, ADMIN, { body: { internal: other } })
      expect(changed.json).toMatchObject({ status: 422, errors: [{ field: 'internal' }] })
    }
    const same = await t.call('PUT', url, ADMIN, { body: { internal, body: 'Reworded' } })
    expect(same.status).toBe(200)

    // As written by an earlier release: a version in which the message was a note, or vice versa.
    const [row] = await t.database.sql(
      `update revisions set before = before || jsonb_build_object('internal', $2::boolean)
        where record_id = $1 and version = 2 returning operation_id`,
      [message, !internal],
    )
    const restored = await t.call('POST', `${url}/restore`, ADMIN, { body: { version: 1 } })
    expect(restored.json).toMatchObject({ status: 422, errors: [{ field: 'internal' }] })
    const undone = await t.call('POST', `/api/operations/${row.operation_id}/undo`, ADMIN)
    expect(undone.json).toMatchObject({ status: 422, errors: [{ field: 'internal' }] })
    expect((await t.call('GET', url, ADMIN)).json).toMatchObject({ internal, body: 'Reworded' })
  }
})

test('a message can’t be moved to another ticket by PUT, restoring a version or undo', async () => {
  const [one, other] = [await open(), await open(BOB)]
  await done(ADMIN, one, 'reply', { body: { body: 'for Alice' } })
  const [{ id }] = await messagesOf(ADMIN, one)
  const url = `/api/messages/${id}`
  const refused = {
    status: 422,
    errors: [{ field: 'ticket', message: 'Ticket can’t be changed.' }],
  }
  const moved = await t.call('PUT', url, ADMIN, { body: { ticket: other } })
  expect(moved.json).toMatchObject(refused)
  const both = await t.call('PUT', url, ADMIN, { body: { ticket: other, body: 'for Bob' } })
  expect(both.json).toMatchObject(refused)
  // A form sends the ticket back unchanged, even if the case of its id differs.
  const ticket = one.toUpperCase()
  const same = await t.call('PUT', url, ADMIN, { body: { ticket, body: 'Reworded' } })
  expect([same.status, same.json.ticket]).toEqual([200, one])

  // As written by an earlier release: a version in which the message was on the other ticket.
  const [row] = await t.database.sql(
    `update revisions set before = before || jsonb_build_object('ticket', $2::text)
      where record_id = $1 and version = 2 returning operation_id`,
    [id, other],
  )
  for (const body of [{ version: 1 }, { version: 1, fields: ['ticket'] }]) {
    const restored = await t.call('POST', `${url}/restore`, ADMIN, { body })
    expect(restored.json).toMatchObject(refused)
  }
  const undone = await t.call('POST', `/api/operations/${row.operation_id}/undo`, ADMIN)
  expect(undone.json).toMatchObject(refused)
  expect(await messagesOf(ADMIN, one)).toMatchObject([{ body: 'Reworded' }])
  expect(await messagesOf(BOB, other)).toEqual([])
})

test('form metadata marks `internal` and the ticket of a message as immutable', async () => {
  const { json } = await t.call('GET', '/api/messages/form-metadata', ADMIN)
  const names = (isFixed: boolean) =>
    json.fields
      .filter((field: { immutable?: boolean }) => Boolean(field.immutable) === isFixed)
      .map(({ name }: { name: string }) => name)
  expect([names(false), names(true)]).toEqual([['body'], ['ticket', 'internal']])
})

test('a note that is deleted and restored is still a note', async () => {
  const one = await open()
  await done(ADMIN, one, 'note', { body: { body: 'inside' } })
  const [{ id }] = await messagesOf(ADMIN, one)
  await t.call('DELETE', `/api/messages/${id}`, ADMIN)
  await t.call('POST', `/api/messages/${id}/restore`, ADMIN, {})
  expect(await messagesOf(ADMIN, one)).toMatchObject([{ internal: true }])
  expect(await messagesOf(ALICE, one)).toEqual([])
  expect(await t.mails()).toEqual([])
})

test('a message of unknown kind is treated as a note: no mail, invisible to the client', async () => {
  const id = await open()
  const body = { ticket: id, body: 'x', internal: null }
  expect((await t.call('POST', '/api/messages', ADMIN, { body })).status).toBe(201)
  expect(await messagesOf(ALICE, id)).toEqual([])
  expect(await ticketOf(id)).toMatchObject({ status: 'New' })
  expect(await t.mails()).toEqual([])
})

test('ten concurrent actions on one ticket all complete, and it is closed once', async () => {
  const id = await open()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? act(ALICE, id, 'reply', { body: { body: 'x' } })
        : act(ADMIN, id, 'note', { body: { body: 'y' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const closings = await Promise.all(Array.from({ length: 5 }, () => act(ALICE, id, 'close')))
  expect(closings.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409,
  ])
  expect((await t.mails()).filter(({ subject }) => subject.includes('Closed'))).toHaveLength(1)
})

test('replies, notes, closing and reopening share one rate limit', async () => {
  const limits = { creationsPerMinute: 3, readsPerMinute: 100_000, writesPerMinute: 100_000 }
  const api = await startApi({
    databaseUrl: t.database.url('gatehouse_app'),
    keys: t.keys,
    limits,
    models,
  })
  const id = await open()
  await t.database.sql('delete from write_counts')
  await untilEarlyInTheMinute()
  const token = await t.tokenOf(ALICE)
  const post = async (name: Act, body: object = {}) => {
    const response = await fetch(`${api.base}/api/tickets/${id}/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.status
  }
  try {
    expect([await post('close'), await post('reopen'), await post('reply', { body: 'x' })]).toEqual(
      [200, 200, 200],
    )
    expect([await post('close'), await post('reply', { body: 'x' })]).toEqual([429, 429])
    expect(await ticketOf(id)).toMatchObject({ status: 'Open' })
  } finally {
    await api.stop()
  }
})
