import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'
import { buildClients, type Client } from '../../test/clients.ts'
import { assignClients } from '#jobs/backfills.ts'
import { jobTools } from '../../test/mail-worker.ts'

let t: Test
let c: ReturnType<typeof buildClients>
beforeAll(async () => {
  t = await startTest()
  c = buildClients(t)
})
afterAll(() => t.stop())

/** Sets the contact by SQL, so that no owner is derived from it, as in older releases. */
async function old(client: Client, values: object = {}) {
  const id = await c.open({ fullName: 'Old', email: client.email.toUpperCase() })
  const columns = { contact: client.contact, ...values }
  for (const [name, value] of Object.entries(columns))
    await t.database.sql(`update tickets set ${name} = $1 where id = $2`, [value, id])
  return id
}

async function run() {
  const tools = jobTools(t)
  const ids = await assignClients.find(tools)
  for (const id of ids) await assignClients.run(id, tools)
  return ids
}

test('an old ticket is assigned to its contact’s account, and nothing else is written or mailed', async () => {
  const client = await c.approved()
  const id = await old(client)
  const before = await c.ticket(id)
  await t.database.sql('delete from outbox')
  expect(await run()).toEqual([id])
  expect(await c.ticket(id)).toEqual({
    ...before,
    clientId: client.sub,
    clientName: client.name,
    version: 2,
    updatedAt: expect.any(String),
  })
  expect(await c.canRead(client, id)).toBe(true)
  expect(await t.database.sql('select 1 from outbox')).toEqual([])
  const [step] = await t.database.sql(
    'select after from revisions where record_id = $1 and version = 2',
    [id],
  )
  expect(Object.keys(step.after).toSorted()).toEqual(['clientId', 'clientName', 'clientVia'])
  expect(await run()).toEqual([])
  await c.decline(client)
  expect(await c.canRead(client, id)).toBe(false)
})

test('an old ticket is not assigned if its address, organisation or account contradicts', async () => {
  const [ours, theirs] = [await c.organisation('Ours'), await c.organisation('Theirs')]
  const client = await c.approved({ organisation: ours })
  await old(client, { email: 'typed@example.test' })
  await old(client, { organisation: theirs })
  await old(client, { client_id: 'sub-other' })
  await old(client, { restricted_at: '2026-01-01' })
  await old(client, { deleted_at: '2026-01-01' })
  await old(await c.asking())
  const unverified = await c.approved()
  await t.database.sql('update accounts set email_verified = false where id = $1', [
    unverified.account,
  ])
  await old(unverified)
  expect(await run()).toEqual([])
  // An owner removed by staff is not assigned again.
  const id = await c.open({ contact: client.contact })
  await c.change(id, { clientId: null, email: 'other@example.test' })
  await c.change(id, { email: client.email })
  expect(await run()).toEqual([])
  expect(await c.ticket(id)).toMatchObject({ clientId: null })
})

test('a ticket that changed after it was queued is not assigned', async () => {
  const client = await c.approved()
  const id = await old(client)
  const tools = jobTools(t)
  expect(await assignClients.find(tools)).toEqual([id])
  await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body: { email: 'moved@example.test' } })
  await assignClients.run(id, tools)
  expect(await c.ticket(id)).toMatchObject({ clientId: null, version: 2 })
})
