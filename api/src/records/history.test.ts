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
