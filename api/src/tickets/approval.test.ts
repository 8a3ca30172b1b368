import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'
import { buildClients } from '../../test/clients.ts'

let t: Test
let c: ReturnType<typeof buildClients>
beforeAll(async () => {
  t = await startTest()
  c = buildClients(t)
})
afterAll(() => t.stop())
beforeEach(() => t.database.sql('delete from outbox'))

const TYPED = { fullName: 'Typed', email: 'typed@example.test' }

test('approving an account assigns it the tickets opened for its contact and sets their address', async () => {
  const client = await c.asking()
  const id = await c.open({ ...TYPED, contact: client.contact })
  const byHand = await c.open({ ...TYPED, contact: client.contact, clientId: 'sub-other' })
  expect(await c.canRead(client, id)).toBe(false)
  await c.approve(client)
  expect(await c.ticket(id)).toMatchObject({
    clientId: client.sub,
    clientName: client.name,
    email: client.email,
  })
  expect(await c.ticket(byHand)).toMatchObject({ clientId: 'sub-other', email: TYPED.email })
  expect([await c.canRead(client, id), await c.canRead(client, byHand)]).toEqual([true, false])
})

test('approving an account assigns it a ticket that kept its address when the contact was removed', async () => {
  const client = await c.asking()
  const id = await c.open({ contact: client.contact })
  await c.change(id, { contact: null })
  await c.approve(client)
  expect(await c.ticket(id)).toMatchObject({ clientId: client.sub, email: client.email })
  expect(await c.canRead(client, id)).toBe(true)
})

test('declining an account unassigns the tickets it owns through its contact, in the same operation', async () => {
  const client = await c.approved()
  const id = await c.open({ contact: client.contact })
  const body = { ...TYPED, subject: 'Mine', message: 'x' }
  const own = (await t.call('POST', '/api/tickets', client, { body })).json.id
  const unlinked = await c.open({ contact: client.contact })
  await c.change(unlinked, { contact: null })
  const { headers } = await c.decline(client)
  for (const taken of [id, unlinked]) {
    expect(await c.ticket(taken)).toMatchObject({ clientId: null, clientName: null, email: null })
    expect(await c.canRead(client, taken)).toBe(false)
    expect((await c.reply(taken)).status).toBe(422)
  }
  expect(await c.canRead(client, own)).toBe(true)
  expect((await c.undo(headers.get('operation-id'))).status).toBe(200)
  expect(await c.ticket(id)).toMatchObject({ clientId: client.sub, email: client.email })
  expect([await c.canRead(client, id), await c.canRead(client, unlinked)]).toEqual([true, true])
})

test('undoing an approval unassigns the tickets, unless one would have no address', async () => {
  const client = await c.asking()
  const id = await c.open({ ...TYPED, contact: client.contact })
  const { headers } = await c.approve(client)
  expect((await c.undo(headers.get('operation-id'))).status).toBe(200)
  expect(await c.ticket(id)).toMatchObject({ clientId: null, email: TYPED.email })
  await c.approve(client)
  await c.decline(client)
  const again = await c.approve(client)
  expect(await c.ticket(id)).toMatchObject({ clientId: client.sub, email: client.email })
  const undone = await c.undo(again.headers.get('operation-id'))
  expect(undone.json).toMatchObject({ status: 409, code: 'not-undoable' })
})

test('undoing a decline assigns the tickets opened for the contact since, and undoing an approval unassigns them', async () => {
  const client = await c.approved()
  const declined = await c.decline(client)
  const pending = await c.open({ contact: client.contact })
  expect(await c.ticket(pending)).toMatchObject({ clientId: null, email: client.email })
  expect((await c.undo(declined.headers.get('operation-id'))).status).toBe(200)
  expect(await c.ticket(pending)).toMatchObject({ clientId: client.sub, email: client.email })
  expect(await c.canRead(client, pending)).toBe(true)

  const asking = await c.asking()
  const approved = await c.approve(asking)
  const owned = await c.open({ contact: asking.contact })
  expect(await c.canRead(asking, owned)).toBe(true)
  expect((await c.undo(approved.headers.get('operation-id'))).status).toBe(200)
  expect(await c.ticket(owned)).toMatchObject({ clientId: null })
  expect(await c.canRead(asking, owned)).toBe(false)
})

test('a reply written before the decline is not mailed after it', async () => {
  const client = await c.approved()
  const id = await c.open({ contact: client.contact })
  await c.reply(id, 'for the former owner')
  await c.decline(client)
  const sent = (await t.mails()).filter(({ to }) => to === client.email)
  expect(sent).toEqual([])
})

test('approving and declining also assign and unassign tickets in the trash', async () => {
  const client = await c.asking()
  const id = await c.open({ contact: client.contact })
  const trash = () => t.call('DELETE', `/api/tickets/${id}`, ADMIN)
  const restore = () => t.call('POST', `/api/tickets/${id}/restore`, ADMIN, { body: {} })
  await trash()
  await c.approve(client)
  await restore()
  expect(await c.canRead(client, id)).toBe(true)
  await trash()
  await c.decline(client)
  await restore()
  expect(await c.canRead(client, id)).toBe(false)
  const removed = await c.open({ contact: client.contact })
  await c.change(removed, { contact: null })
  const deleted = await t.call('DELETE', `/api/tickets/${removed}`, ADMIN)
  await c.approve(client)
  expect((await c.undo(deleted.headers.get('operation-id'))).status).toBe(200)
  expect(await c.canRead(client, removed)).toBe(true)
  await t.call('DELETE', `/api/tickets/${removed}`, ADMIN)
  await c.decline(client)
  await t.call('POST', `/api/tickets/${removed}/restore`, ADMIN, { body: {} })
  expect(await c.canRead(client, removed)).toBe(false)
})

test('a ticket’s new owner sees only history since the approval', async () => {
  const client = await c.asking()
  const id = await c.open({ contact: client.contact, subject: 'the first subject' })
  await c.change(id, { subject: 'the second subject' })
  await c.approve(client)
  await c.change(id, { subject: 'after' })
  const { json } = await t.call('GET', `/api/tickets/${id}/history`, client)
  expect(json.items.map(({ version }: { version: number }) => version)).toEqual([4, 3])
  expect(JSON.stringify(json)).not.toContain('first subject')
})

test('a ticket opened concurrently with the approval belongs to the account', async () => {
  for (let round = 0; round < 5; round++) {
    const client = await c.asking()
    const before = await c.open(TYPED)
    const [id] = await Promise.all([
      c.open({ contact: client.contact }),
      c.approve(client),
      c.change(before, { contact: client.contact }),
    ])
    expect([await c.canRead(client, id), await c.canRead(client, before)]).toEqual([true, true])
    const [other] = await Promise.all([c.open({ contact: client.contact }), c.decline(client)])
    const all = [id, before, other].map((one) => c.canRead(client, one))
    expect(await Promise.all(all)).toEqual([false, false, false])
  }
})

test('moving a contact to another organisation flags its tickets, and moving it back clears the flag', async () => {
  const [ours, theirs] = [await c.organisation('Ours'), await c.organisation('Theirs')]
  const client = await c.approved({ fullName: 'Mover', organisation: ours })
  const id = await c.open({ contact: client.contact })
  const free = await c.open({ ...TYPED, organisation: theirs })
  const move = (organisation: string) =>
    t.call('PUT', `/api/contacts/${client.contact}`, ADMIN, { body: { organisation } })
  const differing = async () => {
    const filter = encodeURIComponent('{"all":[["contactDiffers","eq",true]]}')
    const { json } = await t.call('GET', `/api/tickets?filter=${filter}`, ADMIN)
    return json.items.map((one: { id: string }) => one.id)
  }
  expect(await differing()).toEqual([])
  const { headers } = await move(theirs)
  expect(await differing()).toEqual([id])
  // A ticket whose contact already differs remains editable.
  expect((await c.change(id, { priority: 'High' })).status).toBe(200)
  expect((await c.reply(id)).status).toBe(200)
  expect((await c.undo(headers.get('operation-id'))).json.code).toBe('changed-since')
  await move(ours)
  expect(await differing()).toEqual([])
  await move(theirs)
  expect((await c.change(id, { organisation: theirs })).status).toBe(200)
  expect(await differing()).toEqual([])
  expect((await c.ticket(free)).contactDiffers).toBe(false)
  const seen = await t.call('GET', `/api/tickets/${id}`, client)
  expect(seen.json).not.toHaveProperty('contactDiffers')
})
