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
} from '../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())
beforeEach(() =>
  t.database.sql('delete from outbox; delete from write_counts; delete from confirmations'),
)

const DESK = CONFIG.owner.email
const form = (changes: object = {}) => ({
  fullName: 'Alice Example',
  email: 'alice@example.test',
  subject: 'Printer',
  message: 'It does not print.',
  ...changes,
})

async function open(person: Person = ALICE, changes: object = {}) {
  const { status, json, text } = await t.call('POST', '/api/tickets', person, {
    body: form(changes),
  })
  expect(status, text).toBe(201)
  return json
}

async function say(person: Person, ticket: string, changes: object = {}) {
  const { status, json, text } = await t.call('POST', '/api/messages', person, {
    body: { ticket, body: 'More about it', ...changes },
  })
  expect(status, text).toBe(201)
  return json
}

const ticketOf = async (id: string) => (await t.call('GET', `/api/tickets/${id}`, ADMIN)).json
const mails = () => t.database.sql('select kind, recipient, data from outbox order by id')

test('a new ticket queues a mail to the desk and one to the sender, with only its ID', async () => {
  const { id } = await open()
  expect(await mails()).toEqual([
    { kind: 'ticket-opened', recipient: DESK, data: { ticketId: id } },
    { kind: 'ticket-received', recipient: 'alice@example.test', data: { ticketId: id } },
  ])
})

test('[CONTACT-05] a ticket’s clientId and clientName come from the token, even if the browser sends others', async () => {
  for (const sent of [{ clientId: BOB.sub, clientName: 'Bob' }, { clientId: 7 }, {}]) {
    const { id } = await open(ALICE, sent)
    expect(await ticketOf(id)).toMatchObject({ clientId: ALICE.sub, clientName: ALICE.name })
  }
})

test('a client report also goes to the alert address', async () => {
  const { id } = await open(ALICE, { contactType: 'Report' })
  expect((await mails()).at(-1)).toEqual({
    kind: 'ticket-reported',
    recipient: CONFIG.owner.alertEmail,
    data: { ticketId: id },
  })
})

test('a ticket from an unknown address creates a contact, one from a known address does not, and both get the same response', async () => {
  const first = await open(ALICE, { email: 'New.Person@example.test' })
  const second = await open(BOB, { email: 'new.person@EXAMPLE.test' })
  expect(first.contact).toBeNull()
  expect(Object.keys(second)).toEqual(Object.keys(first))
  expect(second).toMatchObject({ contact: null, organisation: null, labels: {} })
  const { json } = await t.call('GET', '/api/contacts?q=new.person', ADMIN)
  expect(json.items).toMatchObject([
    { fullName: 'Alice Example', email: 'New.Person@example.test', organisation: null },
  ])
  expect((await ticketOf(first.id)).contact).toBe(json.items[0].id)
  expect((await ticketOf(second.id)).contact).toBeNull()
  expect((await ticketOf(first.id)).version).toBe(1)
  const asked = `/api/tickets?filter=${encodeURIComponent('{"all":[["contact","empty",false]]}')}`
  expect((await t.call('GET', asked, ALICE)).json.items).toEqual([])
})

test('twenty concurrent tickets from one new address create one contact', async () => {
  const body = form({ email: 'crowd@example.test' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => t.call('POST', '/api/tickets', ALICE, { body })),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const [row] = await t.database.sql(
    `select count(*)::int as count from contacts where email = 'crowd@example.test'`,
  )
  expect(row.count).toBe(1)
})

test('a staff message sets the ticket to waiting and is mailed to the client in the site’s name', async () => {
  const { id } = await open()
  await t.database.sql('delete from outbox')
  const message = await say(ADMIN, id)
  expect(message).toMatchObject({ fromStaff: true, authorName: CONFIG.site.name, internal: false })
  expect(await ticketOf(id)).toMatchObject({ status: 'Waiting for client', version: 2 })
  expect(await mails()).toEqual([
    { kind: 'ticket-answered', recipient: 'alice@example.test', data: { messageId: message.id } },
  ])
})

test('a client message reopens the ticket, and is mailed to the desk', async () => {
  const { id } = await open()
  await t.call('POST', `/api/tickets/${id}/close`, ADMIN)
  expect(await ticketOf(id)).toMatchObject({ status: 'Closed', closedAt: expect.any(String) })
  await t.database.sql('delete from outbox')
  const message = await say(ALICE, id)
  expect(message).toMatchObject({ fromStaff: false, authorName: 'Alice' })
  expect(message).not.toHaveProperty('internal')
  expect(await ticketOf(id)).toMatchObject({ status: 'Open', closedAt: null, version: 3 })
  expect(await mails()).toEqual([
    { kind: 'ticket-replied', recipient: DESK, data: { messageId: message.id } },
  ])
})

test('an internal note changes no ticket, sends no mail and is invisible to clients', async () => {
  const { id } = await open()
  await t.database.sql('delete from outbox')
  const before = await ticketOf(id)
  const note = await say(ADMIN, id, { internal: true })
  expect(await ticketOf(id)).toEqual(before)
  expect(await mails()).toEqual([])
  expect((await t.call('GET', `/api/messages/${note.id}`, ALICE)).status).toBe(404)
  expect((await t.call('GET', '/api/messages', ALICE)).text).not.toContain(note.id)
  const forged = await t.call('POST', '/api/messages', ALICE, {
    body: { ticket: id, body: 'x', internal: false },
  })
  expect(forged.status).toBe(422)
})

test('the author of a message can’t be set, not even by staff', async () => {
  const { id } = await open()
  for (const person of [ALICE, ADMIN])
    for (const forged of [{ fromStaff: true }, { authorName: 'The boss' }]) {
      const body = { ticket: id, body: 'x', ...forged }
      expect((await t.call('POST', '/api/messages', person, { body })).status).toBe(422)
    }
})

test('a message on an invisible ticket is rejected like one on a missing ticket', async () => {
  const { id } = await open()
  const post = (ticket: string) =>
    t.call('POST', '/api/messages', BOB, { body: { ticket, body: 'Hello' } })
  const foreign = await post(id)
  const absent = await post(crypto.randomUUID())
  expect(foreign.status).toBe(422)
  expect({ ...foreign.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
  expect(await ticketOf(id)).toMatchObject({ status: 'New', version: 1 })
})

test('a message’s change of the ticket has a revision and audit row in the same operation', async () => {
  const { id } = await open()
  const message = await say(ADMIN, id)
  const rows = await t.database.sql(
    `select model, action, after from revisions where operation_id =
      (select operation_id from revisions where record_id = $1) order by model`,
    [message.id],
  )
  expect(rows.map(({ model, action }) => [model, action])).toEqual([
    ['messages', 'create'],
    ['tickets', 'update'],
  ])
  expect(Object.keys(rows[1].after).toSorted()).toEqual(['lastContactAt', 'status'])
  const [audit] = await t.database.sql(
    `select fields from audit_events where entity_id = $1 and action = 'update'`,
    [id],
  )
  expect(audit.fields.toSorted()).toEqual(['lastContactAt', 'status'])
})

test('ten concurrent messages on one ticket are all stored', async () => {
  const { id } = await open()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      t.call('POST', '/api/messages', n % 2 ? ALICE : ADMIN, { body: { ticket: id, body: 'x' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(await ticketOf(id)).toMatchObject({ version: 11 })
})

test('ticket mails have its number and link, and aren’t sent once the record is deleted', async () => {
  const { id, number } = await open(ALICE, { subject: 'Scanner' })
  const other = { ...ALICE, sub: 'sub-proven', email: 'Proven@example.test', emailVerified: true }
  await open(other, { email: 'proven@example.test', message: 'My own words' })
  await say(ADMIN, id, { body: 'Try again now' })
  const note = await say(ADMIN, id, { body: 'Never to be sent' })
  await t.call('DELETE', `/api/messages/${note.id}`, ADMIN)
  const sent = await t.mails()
  const to = (address: string) => sent.filter((mail) => mail.to === address)
  expect(to(DESK)[0]).toMatchObject({ subject: `[#${number}] New request: Scanner` })
  expect(to(DESK)[0]?.text).toContain(`${CONFIG.site.url}/tickets/${id}`)
  const [copy, answer, ...more] = to('alice@example.test')
  expect(copy?.subject).toBe(`[#${number}] Your request to ${CONFIG.site.name}`)
  expect(copy?.text).toContain(`${CONFIG.site.url}/requests/${id}`)
  // The address isn't proven to be Alice's.
  expect(copy?.text).not.toContain('It does not print.')
  expect(to('proven@example.test')[0]?.text).toContain('My own words')
  expect(answer?.text).toContain('Try again now')
  expect(more).toEqual([])
  const { json } = await t.call('GET', '/api/system/mails', ADMIN)
  expect(json.items).toMatchObject([{ kind: 'ticket-answered', code: 'outdated' }])
})

test('clients can’t update tickets', async () => {
  const { id } = await open()
  const { status } = await t.call('PUT', `/api/tickets/${id}`, ALICE, {
    body: { status: 'Closed' },
  })
  expect(status).toBe(403)
})

test('a sixth ticket per person and minute across replicas gets 429 with Retry-After; retries don’t count', async () => {
  const limits = { creationsPerMinute: null, readsPerMinute: 100_000, writesPerMinute: 100_000 }
  const options = { databaseUrl: t.database.url('gatehouse_app'), keys: t.keys, limits }
  const replicas = [await startApi(options), await startApi(options)]
  const person = { sub: 'sub-flood', name: 'Flo', role: 'user' as const }
  const post = async (n: number, key: string) =>
    fetch(`${replicas[n % 2]?.base}/api/tickets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await t.tokenOf(person)}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(form()),
    })
  try {
    await untilEarlyInTheMinute()
    for (let n = 0; n < 5; n++) expect((await post(n, `flood-${n}`)).status).toBe(201)
    expect((await post(1, 'flood-0')).status).toBe(201)
    for (let n = 5; n < 7; n++) {
      const refused = await post(n, `flood-${n}`)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const [row] = await t.database.sql(
      `select count(*)::int as count from tickets where client_id = 'sub-flood'`,
    )
    expect(row.count).toBe(5)
  } finally {
    for (const replica of replicas) await replica.stop()
  }
})

test('undoing one’s own ticket doesn’t reveal whether its address was a contact before', async () => {
  const email = `first.${crypto.randomUUID()}@example.test`
  const undone = []
  for (let time = 0; time < 2; time++) {
    const { headers } = await t.call('POST', '/api/tickets', BOB, { body: form({ email }) })
    const url = `/api/operations/${headers.get('operation-id')}/undo`
    const { status, json } = await t.call('POST', url, BOB, { body: {} })
    undone.push({ status, ...json, requestId: '' })
  }
  expect(undone[0]).toMatchObject({ status: 403 })
  expect(undone[1]).toEqual(undone[0])
})
