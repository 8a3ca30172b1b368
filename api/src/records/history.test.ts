import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../test/kit.ts'

let t: Test
let ticket: string
beforeAll(async () => {
  t = await startTest()
  const body = { fullName: 'Alice', email: 'a@example.test', subject: 'VPN', message: 'Slow' }
  const made = await t.call('POST', '/api/tickets', ALICE, { body })
  ticket = made.json.id
  const change = { status: 'Resolved', internalNotes: 'Router was old', priority: 'High' }
  await t.call('PUT', `/api/tickets/${ticket}`, ADMIN, { body: change })
})
afterAll(() => t.stop())

const history = (person: typeof ALICE | null, path = `tickets/${ticket}`) =>
  t.call('GET', `/api/${path}/history`, person)

test('a client sees what happened to their ticket, and whether it was themselves', async () => {
  const { status, json } = await history(ALICE)
  expect(status).toBe(200)
  expect(
    json.items.map((step: { action: string; isYou: boolean }) => [step.action, step.isYou]),
  ).toEqual([
    ['update', false],
    ['create', true],
  ])
  expect(json.items[0].changes).toContainEqual({
    field: 'status',
    before: 'New',
    after: 'Resolved',
  })
})

test('a field the caller may not see has no history for them', async () => {
  expect(JSON.stringify((await history(ALICE)).json)).not.toContain('Router was old')
  expect(JSON.stringify((await history(ADMIN)).json)).toContain('Router was old')
})

test('the history of a foreign record and of an absent one answer alike', async () => {
  const foreign = await history(BOB)
  const absent = await history(BOB, 'tickets/00000000-0000-7000-8000-000000000000')
  expect(foreign.status).toBe(404)
  expect({ ...foreign.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
})

test('what a public record was before it was published is for admins alone', async () => {
  const { json } = await t.call('POST', '/api/articles', ADMIN, {
    body: { title: 'Draft', slug: 'draft', kind: 'Guide', body: 'Text', published: true },
  })
  expect((await history(null, `articles/${json.id}`)).status).toBe(401)
  expect((await history(BOB, `articles/${json.id}`)).status).toBe(403)
  expect((await history(ADMIN, `articles/${json.id}`)).status).toBe(200)
})

test('an admin learns who it was, and everyone what they may undo', async () => {
  const made = await t.call('POST', '/api/kitchensink', BOB, { body: { text: 'Mine' } })
  const path = `kitchensink/${made.json.id}`
  const changed = await t.call('PUT', `/api/${path}`, BOB, { body: { text: 'Again' } })
  await t.call('PUT', `/api/${path}`, ADMIN, { body: { text: 'Ours' } })
  const steps = async (person: typeof ALICE) =>
    (await history(person, path)).json.items.map(
      (step: { by: string | null; operation: string | null }) => [step.by, step.operation],
    )
  const update = changed.headers.get('operation-id')
  const create = made.headers.get('operation-id')
  // Who may not delete can not undo a creation; nobody but an admin undoes what somebody else did.
  expect(await steps(BOB)).toEqual([
    [null, null],
    [null, update],
    [null, null],
  ])
  expect(await steps(ADMIN)).toEqual([
    ['Ada Admin', expect.any(String)],
    ['Bob', update],
    ['Bob', create],
  ])
  await t.database.sql('delete from accounts where sub = $1', [BOB.sub])
  expect((await steps(ADMIN))[1]).toEqual([null, update])
})

test('a long history comes in pages of 50', async () => {
  const { json } = await t.call('POST', '/api/articles', ADMIN, {
    body: { title: 'Long', slug: 'long', kind: 'Guide', body: 'Text' },
  })
  for (let place = 0; place < 60; place++)
    await t.call('PUT', `/api/articles/${json.id}`, ADMIN, { body: { title: `Long ${place}` } })
  const page = async (query: string) =>
    (await t.call('GET', `/api/articles/${json.id}/history${query}`, ADMIN)).json
  const first = await page('')
  expect([first.items.length, first.items[0].version, first.next]).toEqual([50, 61, 12])
  const second = await page(`?before=${first.next}`)
  expect([second.items.length, second.items[0].version, second.next]).toEqual([11, 11, null])
  const wrong = await t.call('GET', `/api/articles/${json.id}/history?before=x`, ADMIN)
  expect(wrong.json).toMatchObject({ status: 400, code: 'invalid-query' })
})
