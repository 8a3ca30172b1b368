import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../../test/kit.ts'
import { fullBody, createOne, modelAt } from '../../../test/sample-records.ts'
import { captureStatements } from '../../../test/capture-statements.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

type RequestOptions = {
  by: Person
  method?: string
  body?: object
  headers?: Record<string, string>
}

/** The statements of a request by a caller who has sent one before. */
async function statementsOf(url: string, { by, method = 'POST', body, headers }: RequestOptions) {
  const options = { ...(body ? { body } : {}), ...(headers ? { headers } : {}) }
  const sent = await captureStatements(() => t.call(method, url, by, options))
  const { result: response, statements } = sent
  expect(response.status, response.text).toBeLessThan(300)
  return { ...response, texts: statements.map(({ text }) => text) }
}

const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })
const countOf = async (url: string, asked: RequestOptions) => {
  const { texts } = await statementsOf(url, asked)
  return texts.length
}

/** Each account sends a request first: its first one also records the account. */
beforeAll(async () => {
  await createOne(t, modelAt('kitchensink'))
  await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'first' } })
})

test.each([
  ['assets', 5, 5],
  ['organisations', 4, 4],
  ['contracts', 6, 5],
  ['articles', 5, 5],
  ['kitchensink', 5, 5],
  // One more: the organisation of the contact's tickets must agree.
  ['contacts', 5, 6],
])('a keyed creation in %s takes %i statements, an update %i', async (path, creation, update) => {
  const body = await fullBody(t, modelAt(path))
  const created = await statementsOf(`/api/${path}`, { by: ADMIN, body, headers: keyed() })
  const changes = { ...(await fullBody(t, modelAt(path))), ...unique(path) }
  const url = `/api/${path}/${created.json.id}`
  const changed = await statementsOf(url, { by: ADMIN, method: 'PUT', body: changes })
  const counts = [created.texts.length, changed.texts.length]
  expect(counts, [...created.texts, ...changed.texts].join('\n\n')).toEqual([creation, update])
})

/** Unique values that a full body would repeat. */
const unique = (path: string) => (path === 'contracts' ? { reference: 'another' } : {})

test('creating a ticket takes 8 statements, with a contact 10, an update 4, a reply 6, its owner’s reply 7', async () => {
  const { contact, ...body } = await fullBody(t, modelAt('tickets'), { clientId: ALICE.sub })
  const created = await statementsOf('/api/tickets', { by: ADMIN, body, headers: keyed() })
  const opened = { by: ADMIN, body: { ...body, contact }, headers: keyed() }
  const url = `/api/tickets/${created.json.id}`
  const put = { by: ADMIN, method: 'PUT', body: { subject: 'Changed', priority: 'High' } }
  const reply = { body: { body: 'Yes' } }
  expect({
    create: created.texts.length,
    forContact: await countOf('/api/tickets', opened),
    update: await countOf(url, put),
    reply: await countOf(`${url}/reply`, { by: ADMIN, ...reply, headers: keyed() }),
    ownersReply: await countOf(`${url}/reply`, { by: ALICE, ...reply, headers: keyed() }),
  }).toEqual({ create: 8, forContact: 10, update: 4, reply: 6, ownersReply: 7 })
})

test('a user’s creation and update take 5 statements each, including one for claims', async () => {
  const asked = { by: ALICE, body: { text: 'mine' } }
  const created = await statementsOf('/api/kitchensink', { ...asked, headers: keyed() })
  const put = { ...asked, method: 'PUT', body: { text: 'changed' } }
  const update = await countOf(`/api/kitchensink/${created.json.id}`, put)
  expect([created.texts.length, update], created.texts.join('\n\n')).toEqual([5, 5])
})

test('a write uses the caller’s current reference after it has changed', async () => {
  const write = () => t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'mine' } })
  const refOf = async (id: string) => {
    const [row] = await t.database.sql(
      `select actor_ref from revisions where record_id = $1 and version = 1`,
      [id],
    )
    return row?.['actor_ref']
  }
  const before = await refOf((await write()).json.id)
  const { length } = (await t.call('GET', '/api/kitchensink?limit=100', ALICE)).json.items
  await t.database.sql(`update subject_refs set ref = gen_random_uuid() where sub = $1`, [
    ALICE.sub,
  ])
  const after = await refOf((await write()).json.id)
  const [now] = await t.database.sql(`select ref from subject_refs where sub = $1`, [ALICE.sub])
  expect(after).toBe(now?.['ref'])
  expect(after).not.toBe(before)
  const { items } = (await t.call('GET', '/api/kitchensink?limit=100', ALICE)).json
  expect(items).toHaveLength(length + 1)
})

test('delete, restore and undo take at most 20 statements each', async () => {
  const id = await createOne(t, modelAt('assets'))
  const url = `/api/assets/${id}`
  const removed = await statementsOf(url, { by: ADMIN, method: 'DELETE' })
  const restored = await statementsOf(`${url}/restore`, { by: ADMIN, body: {} })
  const operation = restored.headers.get('operation-id')
  const undone = await countOf(`/api/operations/${operation}/undo`, { by: ADMIN })
  const counts = { delete: removed.texts.length, restore: restored.texts.length, undo: undone }
  console.log(JSON.stringify(counts))
  expect(Math.max(...Object.values(counts))).toBeLessThanOrEqual(20)
})
