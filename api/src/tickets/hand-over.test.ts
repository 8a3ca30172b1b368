import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'
import { buildClients, type Client } from '../../test/clients.ts'

let t: Test
let c: ReturnType<typeof buildClients>
let [ours, theirs] = ['', '']
let carol: Client
let dora: Client
beforeAll(async () => {
  t = await startTest()
  c = buildClients(t)
  ;[ours, theirs] = [await c.organisation('Ours'), await c.organisation('Theirs')]
  carol = await c.approved({ fullName: 'Carol', organisation: ours })
  dora = await c.approved({ fullName: 'Dora' })
})
afterAll(() => t.stop())
beforeEach(() => t.database.sql('delete from outbox'))

const TYPED = { fullName: 'Typed', email: 'typed@example.test' }
const ADDRESS_NEEDED = {
  status: 422,
  errors: [
    {
      field: 'email',
      message:
        'This ticket changes hands. Enter another address for the replies, or choose a contact.',
    },
  ],
}

async function changed(id: string, body: object) {
  const done = await c.change(id, body)
  expect(done.status, done.text).toBe(200)
  return done.headers.get('operation-id')
}

async function opened(client: Client): Promise<string> {
  const body = { fullName: client.name, email: client.email, subject: 'Mine', message: 'x' }
  const { json } = await t.call('POST', '/api/tickets', client, { body })
  return json.id
}

const recipients = async () => {
  const rows = await t.database.sql(
    `select recipient from outbox where kind = 'ticket-answered' order by id`,
  )
  return rows.map(({ recipient }) => recipient)
}

describe('the contact of a ticket', () => {
  test('a ticket’s new contact sets owner and address if there was no owner, or it came through a contact', async () => {
    const id = await c.open(TYPED)
    await changed(id, { contact: carol.contact, email: TYPED.email })
    expect(await c.ticket(id)).toMatchObject({
      clientId: carol.sub,
      clientName: carol.name,
      email: carol.email,
      organisation: ours,
    })
    await changed(id, { contact: dora.contact })
    expect(await c.ticket(id)).toMatchObject({ clientId: dora.sub, email: dora.email })
    expect([await c.canRead(carol, id), await c.canRead(dora, id)]).toEqual([false, true])
    const contact = await c.make('contacts', { fullName: 'N', email: 'n1@example.test' })
    await changed(id, { contact })
    expect(await c.ticket(id)).toMatchObject({
      clientId: null,
      clientName: null,
      email: 'n1@example.test',
    })
    await changed(id, {
      contact: (await c.approved()).contact,
      email: 'chosen@example.test',
    })
    expect(await c.ticket(id)).toMatchObject({ email: 'chosen@example.test' })
  })

  test('a ticket’s new contact changes neither owner nor address if the client opened the ticket', async () => {
    const id = await opened(dora)
    await changed(id, { contact: carol.contact })
    expect(await c.ticket(id)).toMatchObject({ clientId: dora.sub, email: dora.email })
    expect(await c.canRead(carol, id)).toBe(false)
  })

  test('removing a ticket’s contact keeps owner and address; another contact sets another owner', async () => {
    const id = await c.open({ contact: carol.contact })
    await changed(id, { contact: null })
    expect(await c.ticket(id)).toMatchObject({ clientId: carol.sub, email: carol.email })
    await changed(id, { contact: dora.contact })
    expect(await c.ticket(id)).toMatchObject({ clientId: dora.sub, email: dora.email })
  })

  test('a ticket’s new contact does not change an owner set by staff', async () => {
    const id = await c.open({ contact: carol.contact })
    await changed(id, { clientId: dora.sub })
    await changed(id, { contact: (await c.approved()).contact, organisation: null })
    expect(await c.ticket(id)).toMatchObject({ clientId: dora.sub, email: dora.email })
  })

  test('a contact without an account sets its address when it replaces another', async () => {
    const [one, two] = [
      await c.make('contacts', { fullName: 'One', email: 'one@example.test' }),
      await c.make('contacts', { fullName: 'Two', email: 'two@example.test' }),
    ]
    const id = await c.open({ contact: one })
    await changed(id, { contact: two })
    expect(await c.ticket(id)).toMatchObject({ email: 'two@example.test' })
    const typed = await c.open(TYPED)
    await changed(typed, { contact: two })
    expect(await c.ticket(typed)).toMatchObject({ email: 'two@example.test' })
    await changed(typed, { contact: null })
    await changed(typed, { contact: one })
    expect(await c.ticket(typed)).toMatchObject({ email: 'one@example.test' })
  })
})

describe('a change of a ticket’s owner', () => {
  test('a ticket that changes owner gets the new owner’s name, unless the same save sets one', async () => {
    const id = await opened(carol)
    await changed(id, { clientId: dora.sub })
    expect((await c.ticket(id)).clientName).toBe(dora.name)
    await changed(id, { clientId: carol.sub, clientName: 'C. Byrne' })
    expect((await c.ticket(id)).clientName).toBe('C. Byrne')
  })

  test.each([
    ['no owner', () => ({ clientId: null })],
    ['an account without an address', () => ({ clientId: 'sub-unknown' })],
  ])(
    'changing a ticket’s owner to %s is rejected without an address and accepted with one',
    async (_how, to) => {
      const id = await opened(carol)
      const { email } = await c.ticket(id)
      // A form sends the unchanged address along.
      for (const body of [to(), { ...to(), email }])
        expect((await c.change(id, body)).json).toMatchObject(ADDRESS_NEEDED)
      expect(await c.ticket(id)).toMatchObject({ clientId: carol.sub, email, version: 1 })
      await changed(id, { ...to(), email: 'other@example.test', organisation: null })
      expect(await c.ticket(id)).toMatchObject({ email: 'other@example.test' })
    },
  )

  test('moving an unowned ticket to another organisation needs an address, or a contact with one', async () => {
    const id = await c.open({ ...TYPED, organisation: ours })
    expect((await c.change(id, { organisation: theirs })).json).toMatchObject(ADDRESS_NEEDED)
    const contact = await c.make('contacts', { ...TYPED, organisation: theirs })
    await changed(id, { organisation: theirs, contact })
    expect(await c.ticket(id)).toMatchObject({ organisation: theirs, email: TYPED.email })
    const other = await c.open({ ...TYPED, organisation: ours })
    await changed(other, { organisation: theirs, email: 'new@example.test' })
    expect(await c.ticket(other)).toMatchObject({ email: 'new@example.test' })
  })

  test('moving a ticket to an organisation other than its contact’s is rejected with both names', async () => {
    const id = await c.open({ contact: carol.contact })
    const refused = await c.change(id, { organisation: theirs, email: 'new@example.test' })
    expect(refused.json.errors).toEqual([
      {
        field: 'organisation',
        message: 'Carol belongs to Ours, not to Theirs. Choose another organisation or contact.',
      },
    ])
    const other = await c.open({ ...TYPED, organisation: theirs })
    expect((await c.change(other, { contact: carol.contact })).json.errors).toMatchObject([
      { field: 'organisation' },
    ])
  })
})

describe('a reply', () => {
  const NO_RECIPIENT = 'This ticket has no email address. Add one, or write a note.'
  const unaddressed = async (values: object) => {
    const id = await c.open({ ...TYPED, ...values })
    await t.database.sql('update tickets set email = null where id = $1', [id])
    return id
  }

  test('a reply without any recipient is rejected and changes nothing; a note is accepted', async () => {
    const id = await unaddressed({ organisation: theirs })
    for (const refused of [
      await c.reply(id),
      await t.call('POST', '/api/messages', ADMIN, { body: { ticket: id, body: 'x' } }),
    ])
      expect(refused.json).toMatchObject({
        status: 422,
        errors: [{ field: 'body', message: NO_RECIPIENT }],
      })
    expect(await c.ticket(id)).toMatchObject({ status: 'New', version: 1 })
    const note = await t.call('POST', `/api/tickets/${id}/note`, ADMIN, { body: { body: 'x' } })
    expect([note.status, note.headers.get('mailed')]).toEqual([200, 'false'])
  })

  test('a reply that only accounts can see is saved with `Mailed: false`', async () => {
    const manager = await c.approved({ organisation: theirs, portalRole: 'manager' })
    for (const id of [
      await unaddressed({ clientId: dora.sub }),
      await unaddressed({ organisation: theirs }),
    ]) {
      const headers = { 'idempotency-key': `unmailed-${id}` }
      const send = () =>
        t.call('POST', `/api/tickets/${id}/reply`, ADMIN, { body: { body: 'x' }, headers })
      for (const done of [await send(), await send()])
        expect([done.status, done.headers.get('mailed')], done.text).toEqual([200, 'false'])
    }
    expect(await recipients()).toEqual([])
    await c.decline(manager)
    expect((await c.reply(await unaddressed({ organisation: theirs }))).status).toBe(422)
  })

  test('a reply to an address returns `Mailed: true`, even if repeated', async () => {
    const id = await c.open({ contact: carol.contact })
    const headers = { 'idempotency-key': `mailed-${id}` }
    for (let n = 0; n < 2; n++) {
      const body = { body: 'x' }
      const done = await t.call('POST', `/api/tickets/${id}/reply`, ADMIN, { body, headers })
      expect([done.status, done.headers.get('mailed')]).toEqual([200, 'true'])
    }
    expect(await recipients()).toEqual([carol.email])
  })
})

describe('an undo', () => {
  test('an undo restores owner, address and contact together, and the former owner can read the ticket', async () => {
    const id = await c.open({ contact: carol.contact })
    const operation = await changed(id, { contact: dora.contact })
    expect((await c.undo(operation)).status).toBe(200)
    expect(await c.ticket(id)).toMatchObject({ clientId: carol.sub, email: carol.email })
    expect([await c.canRead(carol, id), await c.canRead(dora, id)]).toEqual([true, false])
  })

  test('an undo that would remove the ticket’s only recipient is rejected', async () => {
    const id = await c.open(TYPED)
    await t.database.sql('update tickets set email = null where id = $1', [id])
    const operation = await changed(id, { email: 'added@example.test' })
    expect((await c.undo(operation)).json).toMatchObject({ status: 409, code: 'not-undoable' })
    expect(await c.ticket(id)).toMatchObject({ email: 'added@example.test' })
  })

  test('an undo that would restore an owner whose account was declined since is rejected', async () => {
    const erin = await c.approved()
    const id = await c.open({ contact: erin.contact })
    const operation = await changed(id, { contact: dora.contact })
    await c.decline(erin)
    expect((await c.undo(operation)).json).toMatchObject({ status: 409, code: 'not-undoable' })
    expect(await c.ticket(id)).toMatchObject({ clientId: dora.sub })
  })
})
