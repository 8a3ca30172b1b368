import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADMIN, ALICE, CONFIG, startTest, type Test } from '../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())
beforeEach(() =>
  t.database.sql('delete from outbox; delete from write_counts; delete from confirmations'),
)

const CALLBACK = { phone: '+353 (0)20 910-0101', callbackWish: 'Tuesday after ten' }

const create = (changes: object) =>
  t.call('POST', '/api/tickets', ALICE, {
    body: {
      fullName: 'Alice Example',
      email: 'alice@example.test',
      subject: 'A call',
      contactType: 'Callback',
      message: 'About backups.',
      ...changes,
    },
  })
const toDesk = async () => (await t.mails()).find(({ to }) => to === CONFIG.owner.email)?.text

test('a callback request’s phone and wish are in the ticket, and in the mail to the desk', async () => {
  const { status, json } = await create(CALLBACK)
  expect(status).toBe(201)
  expect((await t.call('GET', `/api/tickets/${json.id}`, ADMIN)).json).toMatchObject(CALLBACK)
  expect((await t.call('GET', `/api/tickets/${json.id}`, ALICE)).json).toMatchObject(CALLBACK)
  expect(await toDesk()).toContain(
    'Phone: +353 (0)20 910-0101\nGood time to call: Tuesday after ten\nType: Callback\n',
  )
})

test('a callback request without phone and wish is accepted, and its mail has no line about them', async () => {
  const { status, json } = await create({})
  expect(status).toBe(201)
  expect(json).toMatchObject({ phone: null, callbackWish: null })
  const text = await toDesk()
  expect(text).toContain('About backups.\n\nType: Callback\n')
  expect(text).not.toMatch(/Phone:|Good time/)
})

test.each([
  ['phone', 'call me'],
  ['phone', '+353 20 910 0101 '.repeat(3)],
  ['callbackWish', 'x'.repeat(121)],
  ['callbackWish', 'one\ntwo'],
])('a ticket’s %s must not be %j', async (field, value) => {
  const { status, json } = await create({ [field]: value })
  expect(status).toBe(422)
  expect(json.errors).toMatchObject([{ field }])
})

test('clients set phone and wish at creation only; staff may correct them', async () => {
  const { json } = await create(CALLBACK)
  const body = { phone: '+353 20 910 0102', callbackWish: null }
  expect((await t.call('PUT', `/api/tickets/${json.id}`, ALICE, { body })).status).toBe(403)
  expect((await t.call('PUT', `/api/tickets/${json.id}`, ADMIN, { body })).json).toMatchObject(body)
})

test('a ticket’s phone has no index, and no search compares it', async () => {
  const indexes = await t.database.sql(
    `select indexname from pg_indexes where tablename = 'tickets' and indexdef ~ 'phone'`,
  )
  expect(indexes).toEqual([])
  await create(CALLBACK)
  const found = await t.call('GET', '/api/models/search?q=209100101', ADMIN)
  expect(found.status).toBe(200)
  expect(found.text).not.toContain('A call')
})
