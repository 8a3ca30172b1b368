import { kitchensink, tickets } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extendBehaviour } from '#engine/behaviour.ts'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../../test/kit.ts'
import { createOne, modelAt } from '../../../test/sample-records.ts'

/** One statement writes a record and its history: ownership must come from the new rows, not the old ones. */
let t: Test
let onCreate: (() => Promise<unknown>) | null = null
beforeAll(async () => {
  t = await startTest({
    behaviours: [
      extendBehaviour(tickets, {
        before: {
          // A reply to this ticket changes its owner.
          update: ({ record }) => (record.subject === 'Hand over' ? { clientId: BOB.sub } : {}),
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

const historyOf = async (path: string, id: string) =>
  t.database.sql(
    'select version, owner from revisions where model = $1 and record_id = $2 order by version',
    [path, id],
  )

test('a reply that changes the ticket’s owner belongs to the new owner, as does the ticket', async () => {
  const ticket = await createOne(t, modelAt('tickets'), ADMIN, {
    subject: 'Hand over',
    clientId: ALICE.sub,
  })
  const replied = await t.call('POST', `/api/tickets/${ticket}/reply`, ADMIN, {
    body: { body: 'For Bob' },
  })
  expect(replied.status, replied.text).toBe(200)
  const [message] = await t.database.sql('select id from messages where ticket = $1', [ticket])
  expect(await historyOf('messages', message.id)).toEqual([{ version: 1, owner: BOB.sub }])
  expect(await historyOf('tickets', ticket)).toEqual([
    { version: 1, owner: ALICE.sub },
    { version: 2, owner: BOB.sub },
  ])
  const seen = async (visitor: typeof ALICE) => {
    const { status, json } = await t.call('GET', `/api/messages/${message.id}/history`, visitor)
    return [status, json.items?.length]
  }
  expect(await seen(BOB)).toEqual([200, 1])
  expect(await seen(ALICE)).toEqual([404, undefined])
})

test('after a change of owner, the new owner sees only later revisions', async () => {
  const { json } = await t.call('POST', '/api/kitchensink', ALICE, {
    body: { text: 'secret once' },
  })
  const url = `/api/kitchensink/${json.id}`
  await t.call('PUT', url, ADMIN, { body: { owner: BOB.sub, text: 'for Bob' } })
  expect(await historyOf('kitchensink', json.id)).toEqual([
    { version: 1, owner: ALICE.sub },
    { version: 2, owner: BOB.sub },
  ])
  const history = await t.call('GET', `${url}/history`, BOB)
  expect(history.status).toBe(200)
  expect(history.text).not.toContain('secret once')
  expect((await t.call('GET', `${url}/history`, ALICE)).status).toBe(404)
})

test('an unchanged save with a hidden parent’s ID is rejected like any other guess', async () => {
  const hidden = await t.call('POST', '/api/kitchensink', BOB, { body: { text: 'hidden' } })
  const other = await t.call('POST', '/api/kitchensink', BOB, { body: { text: 'hidden too' } })
  const { json } = await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'mine' } })
  const url = `/api/kitchensink/${json.id}`
  await t.call('PUT', url, ADMIN, { body: { parent: hidden.json.id } })
  const guess = async (parent: string) => {
    const { status, json: response } = await t.call('PUT', url, ALICE, { body: { parent } })
    return { status, errors: response.errors }
  }
  const refused = await guess('018f3b1c-0000-7000-8000-0000000000ff')
  expect(refused.status).toBe(422)
  expect(await guess(hidden.json.id)).toEqual(refused)
  expect(await guess(other.json.id)).toEqual(refused)
  // Sent back as null, as it reads, the parent is kept.
  const kept = await t.call('PUT', url, ALICE, { body: { parent: null, text: 'still mine' } })
  expect([kept.status, kept.json.parent]).toEqual([200, null])
  expect((await t.call('GET', url, ADMIN)).json.parent).toBe(hidden.json.id)
})

test('a request whose idempotency key another request stores meanwhile gets that request’s response', async () => {
  const post = () =>
    t.call('POST', '/api/kitchensink', ALICE, {
      body: { text: 'raced' },
      headers: { 'idempotency-key': 'raced' },
    })
  const rename = (from: string, to: string) =>
    t.database.sql('update idempotency_keys set key = $2 where key = $1', [from, to])
  const first = await post()
  await rename('raced', 'parked')
  let times = 0
  onCreate = async () => {
    times++
    await rename('parked', 'raced')
  }
  const second = await post()
  onCreate = null
  expect([second.status, second.text]).toEqual([201, first.text])
  expect(times).toBe(1)
  const created = await t.database.sql(`select id from kitchensink where text = 'raced'`)
  expect(created).toEqual([{ id: first.json.id }])
})

test('an emptied relation drops its label, and the response equals a later read', async () => {
  const organisation = await createOne(t, modelAt('organisations'))
  const { json } = await t.call('POST', '/api/kitchensink', ADMIN, {
    body: { text: 'labelled', organisation },
  })
  const url = `/api/kitchensink/${json.id}`
  expect(Object.keys(json.labels)).toEqual(['organisation'])
  const { json: changed, text } = await t.call('PUT', url, ADMIN, {
    body: { organisation: null, decimal: 0.1 },
  })
  expect(text).toContain('labels')
  expect([changed.labels, changed.organisation, changed.decimal]).toEqual([{}, null, 0.1])
  expect((await t.call('GET', url, ADMIN)).json).toEqual(changed)
  const [{ after }] = await t.database.sql(
    'select after from revisions where record_id = $1 and version = 2',
    [json.id],
  )
  expect(after.decimal).toBe(0.1)
})
