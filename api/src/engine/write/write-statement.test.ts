import { kitchensink, messages, tickets } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extendBehaviour } from '#engine/behaviour.ts'
import {
  ADMIN,
  ALICE,
  BOB,
  startTest,
  untilEarlyInTheMinute,
  type Test,
} from '../../../test/kit.ts'
import { createOne, modelAt } from '../../../test/sample-records.ts'

/** Response and revision must equal the stored row. */
let t: Test
beforeAll(async () => {
  t = await startTest({
    limits: { creationsPerMinute: 2 },
    behaviours: [
      extendBehaviour(kitchensink, {
        before: {
          create: ({ record }) => (record.text === 'nothing' ? { tel: undefined as never } : {}),
        },
      }),
      extendBehaviour(tickets, {
        after: {
          async create({ record, records }) {
            // The read flushes the ticket before the operation ends.
            if (record.subject === 'Looks around') await records(tickets).find({ all: [] })
            const replies = { 'With a reply': 1, 'With three': 3 }[record.subject] ?? 0
            for (let i = 0; i < replies; i++)
              await records(messages).create({ ticket: record.id, body: 'Hello' })
          },
        },
      }),
    ],
  })
})
afterAll(() => t.stop())

test('a relation sent in upper case is returned and stored in lower case, and doesn’t count as a change', async () => {
  const organisation = await createOne(t, modelAt('organisations'))
  const body = { text: 'capitals', organisation: organisation.toUpperCase() }
  const { json } = await t.call('POST', '/api/kitchensink', ADMIN, { body })
  const url = `/api/kitchensink/${json.id}`
  expect((await t.call('GET', url, ADMIN)).json).toEqual(json)
  const [{ after }] = await t.database.sql('select after from revisions where record_id = $1', [
    json.id,
  ])
  expect(after.organisation).toBe(organisation)
  expect((await t.call('PUT', url, ADMIN, { body })).json.version).toBe(1)
})

test('a field that a behaviour sets to undefined is stored as empty', async () => {
  const { status, json, text } = await t.call('POST', '/api/kitchensink', ADMIN, {
    body: { text: 'nothing', tel: '123456' },
  })
  expect(status, text).toBe(201)
  expect((await t.call('GET', `/api/kitchensink/${json.id}`, ADMIN)).json).toEqual(json)
})

const ticket = (subject: string, email: string) => ({
  fullName: 'Al',
  email,
  subject,
  contactType: 'Query',
  message: 'm',
})

test('an operation that counts against two limits reports whether a confirmation was queued', async () => {
  const plain = await t.call('POST', '/api/tickets', ALICE, { body: ticket('Plain', 'a@x.test') })
  expect([plain.status, plain.headers.get('confirmation-email')]).toEqual([201, 'queued'])
  const created = await t.call('POST', '/api/tickets', ALICE, {
    body: ticket('With a reply', 'b@x.test'),
    headers: { 'idempotency-key': 'confirmed' },
  })
  expect([created.status, created.headers.get('confirmation-email')]).toEqual([201, 'queued'])
  const kept = await t.database.sql('select is_confirmed from idempotency_keys')
  expect(kept).toEqual([{ is_confirmed: true }])
})

test('the first operation of a minute is rejected if it alone exceeds the limit', async () => {
  const created = await t.call('POST', '/api/tickets', ADMIN, {
    body: ticket('With three', 'c@x.test'),
  })
  expect(created.status).toBe(429)
})

test('exceeding the creation limit rolls back the whole operation', async () => {
  await untilEarlyInTheMinute()
  const make = async () => {
    const body = ticket('Looks around', 'd@x.test')
    return (await t.call('POST', '/api/tickets', BOB, { body })).status
  }
  expect([await make(), await make(), await make()]).toEqual([201, 201, 429])
  const kept = await t.database.sql(`select id from tickets where subject = 'Looks around'`)
  expect(kept).toHaveLength(2)
})

test('an operation rolls back if one of its records can’t be changed', async () => {
  const id = await createOne(t, modelAt('tickets'), ADMIN, { subject: 'Stays' })
  await t.database
    .sql(`create function skip() returns trigger language plpgsql as 'begin return null; end';
    create trigger skip before update on tickets for each row when (old.subject = 'Stays') execute function skip()`)
  const replied = await t.call('POST', `/api/tickets/${id}/reply`, ADMIN, {
    body: { body: 'Hello' },
    headers: { 'idempotency-key': 'stays' },
  })
  expect(replied.status).toBe(500)
  const [left] = await t.database.sql(
    `select (select count(*) from messages where ticket = $1)::int as messages,
      (select count(*) from idempotency_keys where key = 'stays')::int as keys`,
    [id],
  )
  expect(left).toEqual({ messages: 0, keys: 0 })
})

test('the application’s role can’t consume sequence numbers of the audit log', async () => {
  const [{ may }] = await t.database.sql(
    `select has_sequence_privilege('gatehouse_app', 'audit_events_seq_seq', 'usage') as may`,
  )
  expect(may).toBe(false)
})
