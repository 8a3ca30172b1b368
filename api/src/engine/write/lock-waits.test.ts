import { kitchensink, messages, models, tickets } from '@gatehouse/model/models'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extendBehaviour } from '#engine/behaviour.ts'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../../test/kit.ts'
import { createOne, modelAt } from '../../../test/sample-records.ts'

/** Concurrent writes between a change's first read and its write. */
let t: Test
let onCreate: (() => Promise<unknown>) | null = null
beforeAll(async () => {
  t = await startTest({
    models: [...models, kitchensink].map((model) =>
      model.path === 'messages'
        ? { ...model, access: { ...model.access, update: 'user' as const } }
        : model,
    ),
    behaviours: [
      extendBehaviour(messages, {
        before: {
          async update({ record, records }) {
            if (record.body === 'Hand over')
              await records(tickets).update(record.ticket, {
                clientId: BOB.sub,
                email: 'bob@example.test',
              })
            return {}
          },
        },
      }),
      extendBehaviour(kitchensink, {
        before: {
          async create() {
            await onCreate?.()
            return {}
          },
        },
      }),
    ],
  })
})
afterAll(() => t.stop())

/** Sends a request that waits for these uncommitted changes, then commits them. */
async function during<T>(changes: [string, unknown[]][], send: () => Promise<T>) {
  const client = new pg.Client({ connectionString: t.database.url('gatehouse_migrate') })
  await client.connect()
  await client.query('begin')
  for (const [text, values] of changes) await client.query(text, values)
  const sent = send()
  await waiting()
  await client.query('commit')
  await client.end()
  return sent
}

async function waiting() {
  for (let tries = 0; tries < 100; tries++) {
    const [{ count }] = await t.database.sql(
      `select count(*)::int as count from pg_locks where not granted and pid in
        (select pid from pg_stat_activity where datname = current_database())`,
    )
    if (count > 0) return
    await setTimeout(20)
  }
  throw new Error('no statement waits for a lock')
}

test('a repeated creation that conflicts with its own unique value gets the first response', async () => {
  const post = () =>
    t.call('POST', '/api/kitchensink', ALICE, {
      body: { text: 'twice', email: 'twice@example.test' },
      headers: { 'idempotency-key': 'twice' },
    })
  const rename = (from: string, to: string) =>
    t.database.sql('update idempotency_keys set key = $2 where key = $1', [from, to])
  const first = await post()
  await rename('twice', 'parked')
  onCreate = () => rename('parked', 'twice')
  const second = await post()
  onCreate = null
  expect([second.status, second.text]).toEqual([201, first.text])
})

test('an update that waited for a lock returns the record’s current relations', async () => {
  const { json } = await t.call('POST', '/api/kitchensink', ADMIN, { body: { text: 'waits' } })
  const url = `/api/kitchensink/${json.id}`
  const parent = '018f3b1c-0000-7000-8000-00000000aaaa'
  const changed = await during(
    [
      [`insert into kitchensink (id, text) values ($1, 'Just made')`, [parent]],
      [
        'update kitchensink set parent = $2, version = version + 1 where id = $1',
        [json.id, parent],
      ],
    ],
    () => t.call('PUT', url, ADMIN, { body: { integer: 5 } }),
  )
  expect(changed.json).toMatchObject({ version: 3, parent, labels: { parent: 'Just made' } })
  expect((await t.call('GET', url, ADMIN)).json).toEqual(changed.json)
})

test('an update is rejected with 404 if the parent changed owner while the request waited for its lock', async () => {
  const ticket = await createOne(t, modelAt('tickets'), ADMIN, { clientId: ALICE.sub })
  const created = await t.call('POST', '/api/messages', ADMIN, {
    body: { ticket, body: 'For Alice' },
  })
  expect(created.status, created.text).toBe(201)
  const url = `/api/messages/${created.json.id}`
  expect((await t.call('GET', url, ALICE)).status).toBe(200)
  const changed = await during(
    [
      ['update tickets set client_id = $2 where id = $1', [ticket, BOB.sub]],
      [
        `update messages set body = 'For Bob', version = version + 1 where id = $1`,
        [created.json.id],
      ],
    ],
    () => t.call('PUT', url, ALICE, { body: {} }),
  )
  expect([changed.status, changed.text.includes('For Bob')]).toEqual([404, false])
})

test('a reply is rejected if the ticket changed owner while the request waited for its lock', async () => {
  const ticket = await createOne(t, modelAt('tickets'), ADMIN, { clientId: ALICE.sub })
  const sent = await during(
    [['update tickets set client_id = $2, version = version + 1 where id = $1', [ticket, BOB.sub]]],
    () => t.call('POST', '/api/messages', ALICE, { body: { ticket, body: 'From Alice' } }),
  )
  expect(sent.status, sent.text).toBe(422)
  expect(await t.database.sql('select id from messages where ticket = $1', [ticket])).toEqual([])
})

test('an update that changes the parent’s owner returns 404 instead of the record', async () => {
  const ticket = await createOne(t, modelAt('tickets'), ADMIN, { clientId: ALICE.sub })
  const created = await t.call('POST', '/api/messages', ADMIN, { body: { ticket, body: 'Hello' } })
  const changed = await t.call('PUT', `/api/messages/${created.json.id}`, ALICE, {
    body: { body: 'Hand over' },
  })
  expect(changed.status, changed.text).toBe(404)
})
