import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADMIN, CONFIG, startTest, type Test } from '../../test/kit.ts'
import { buildClients, type Client } from '../../test/clients.ts'

let t: Test
let c: ReturnType<typeof buildClients>
let [ours, theirs] = ['', '']
let carol: Client
beforeAll(async () => {
  t = await startTest()
  c = buildClients(t)
  ;[ours, theirs] = [await c.organisation('Ours'), await c.organisation('Theirs')]
  carol = await c.approved({ fullName: 'Carol Byrne', organisation: ours })
})
afterAll(() => t.stop())
beforeEach(() => t.database.sql('delete from outbox'))

const TYPED = { fullName: 'Typed', email: 'typed@example.test' }

test('a ticket opened by staff belongs to its contact’s account, which can read and reply to it', async () => {
  const id = await c.open({ ...TYPED, contact: carol.contact })
  expect(await c.ticket(id)).toMatchObject({
    clientId: carol.sub,
    clientName: carol.name,
    email: carol.email,
    fullName: 'Typed',
    organisation: ours,
  })
  expect(await c.canRead(carol, id)).toBe(true)
  const answer = await t.call('POST', `/api/tickets/${id}/reply`, carol, { body: { body: 'Yes' } })
  expect(answer.status, answer.text).toBe(200)
  const listed = await t.call('GET', '/api/tickets', carol)
  expect(listed.json.items.map((one: { id: string }) => one.id)).toContain(id)
  expect(await c.canRead(await c.approved(), id)).toBe(false)
})

test('only staff may omit name and address of a ticket with a contact', async () => {
  const id = await c.open({ contact: carol.contact })
  expect(await c.ticket(id)).toMatchObject({ fullName: 'Carol Byrne', email: carol.email })
  const empty = await c.open({ contact: carol.contact, fullName: null, email: null })
  expect(await c.ticket(empty)).toMatchObject({ fullName: 'Carol Byrne', email: carol.email })
  const body = { subject: 'Phone', message: 'They called.' }
  for (const [person, sent] of [
    [ADMIN, body],
    [carol, body],
    [carol, { ...body, contact: carol.contact }],
  ] as const) {
    const refused = await t.call('POST', '/api/tickets', person, { body: sent })
    expect(refused.json).toMatchObject({
      status: 422,
      errors: [
        { field: 'fullName', message: 'Full name is required.' },
        { field: 'email', message: 'Email is required.' },
      ],
    })
  }
})

test('a ticket without name and address, for a missing contact, reports only the contact', async () => {
  const body = { subject: 'Phone', message: 'They called.', contact: crypto.randomUUID() }
  const refused = await t.call('POST', '/api/tickets', ADMIN, { body })
  expect(refused.json.errors).toEqual([{ field: 'contact', message: 'Contact: record not found.' }])
})

test('ticket form and OpenAPI require name and address of clients, but not of staff', async () => {
  const requiredOf = async (person: typeof ADMIN | Client) => {
    const { json } = await t.call('GET', '/api/openapi.json', person)
    return json.components.schemas['tickets-create'].required
  }
  expect(await requiredOf(ADMIN)).toEqual(['subject', 'message'])
  expect(await requiredOf(carol)).toEqual(['fullName', 'email', 'subject', 'message'])
  const formOf = async (person: typeof ADMIN | Client) => {
    const { json } = await t.call('GET', '/api/tickets/form-metadata', person)
    return json.fields.find(({ name }: { name: string }) => name === 'email')
  }
  expect(await formOf(ADMIN)).toMatchObject({ required: true, requiredUnless: 'contact' })
  expect(await formOf(carol)).not.toHaveProperty('requiredUnless')
})

test('a ticket for a contact without an account gets the given address, or the contact’s if none is given', async () => {
  const contact = await c.make('contacts', { fullName: 'No One', email: 'no-one@example.test' })
  const typed = await c.open({ ...TYPED, contact })
  expect(await c.ticket(typed)).toMatchObject({ clientId: null, email: TYPED.email })
  const bare = await c.open({ contact })
  expect(await c.ticket(bare)).toMatchObject({ clientId: null, email: 'no-one@example.test' })
})

test.each([
  ['inactive', `update contacts set active = false where id = $1`],
  [
    'no longer approved',
    `update accounts set link = 'refused' where sub = (select user_sub from contacts where id = $1)`,
  ],
])('a ticket is not assigned to the account of a contact that is %s', async (_how, statement) => {
  const client = await c.approved()
  await t.database.sql(statement, [client.contact])
  const id = await c.open({ contact: client.contact })
  expect(await c.ticket(id)).toMatchObject({ clientId: null, email: client.email })
  expect(await c.canRead(client, id)).toBe(false)
})

test('a client account set by staff takes precedence over the contact’s', async () => {
  const dave = await c.approved()
  const id = await c.open({ ...TYPED, clientId: dave.sub, contact: carol.contact })
  expect(await c.ticket(id)).toMatchObject({ clientId: dave.sub, email: TYPED.email })
  const bare = await c.open({ clientId: dave.sub, contact: carol.contact })
  expect(await c.ticket(bare)).toMatchObject({ clientId: dave.sub, email: dave.email })
  expect(await c.canRead(carol, bare)).toBe(false)
})

test('`clientVia` is absent from responses, forms, filters and definitions, and can’t be sent', async () => {
  const id = await c.open({ contact: carol.contact })
  for (const path of [
    `tickets/${id}`,
    'tickets',
    'tickets/form-metadata',
    `tickets/${id}/history`,
    'models',
    'openapi.json',
  ]) {
    const { status, text } = await t.call('GET', `/api/${path}`, ADMIN)
    expect([path, status, text.includes('clientVia')]).toEqual([path, 200, false])
  }
  const filter = encodeURIComponent('{"all":[["clientVia","eq","contact"]]}')
  expect((await t.call('GET', `/api/tickets?filter=${filter}`, ADMIN)).json.detail).toBe(
    'Unknown field "clientVia".',
  )
  const changed = await c.change(id, { clientVia: 'staff' })
  expect(changed.json.errors).toEqual([
    { field: 'clientVia', message: '"clientVia" can’t be set.' },
  ])
})

test('the organisation of a ticket must be the contact’s, if the contact has one', async () => {
  const body = { ...TYPED, subject: 'Phone', message: 'x', contact: carol.contact }
  const refused = await t.call('POST', '/api/tickets', ADMIN, {
    body: { ...body, organisation: theirs },
  })
  expect(refused.json).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'organisation',
        message:
          'Carol Byrne belongs to Ours, not to Theirs. Choose another organisation or contact.',
      },
    ],
  })
  const free = await c.approved()
  await c.open({ ...body, contact: free.contact, organisation: theirs })
})

test('the mail about a ticket opened by staff has its number, subject and link', async () => {
  const contact = await c.make('contacts', { fullName: 'P', email: 'phoned@example.test' })
  for (const [whom, address] of [
    [carol.contact, carol.email],
    [contact, 'phoned@example.test'],
  ] as const) {
    const id = await c.open({ contact: whom, subject: 'New laptop' })
    const { number } = await c.ticket(id)
    const sent = (await t.mails()).filter(({ to }) => to === address)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.text).toContain(`We’ve opened a request for you: #${number}, New laptop`)
    expect(sent[0]?.text).toContain(`${CONFIG.site.url}/requests/${id}`)
    expect(sent[0]?.text).not.toMatch(/didn’t write|They called/)
    await t.database.sql('delete from outbox')
  }
})

test('tickets opened by staff are all mailed, even more than three a day for one client', async () => {
  for (let n = 0; n < 5; n++) await c.open({ contact: carol.contact })
  const sent = (await t.mails()).filter(({ to }) => to === carol.email)
  expect(sent).toHaveLength(5)
})
