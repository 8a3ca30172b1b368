import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../../test/kit.ts'
import { fullBody, makeOne, modelAt } from '../../../test/sample-records.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

/** Not counted; and what is written of readings, once for many requests. */
const ASIDE = /^(begin|commit)$|security_events|unnest\(\$1::text\[\]\) sub/

type Asked = { by: Person; method?: string; body?: object; headers?: Record<string, string> }

/** The statements of a request that has been made before, by the same person. */
async function statementsOf(url: string, { by, method = 'POST', body, headers }: Asked) {
  const texts: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const answer = await t.call(method, url, by, {
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
  })
  for (const [config] of query.mock.calls as unknown as [string | pg.QueryConfig][])
    texts.push(typeof config === 'string' ? config : config.text)
  query.mockRestore()
  expect(answer.status, answer.text).toBeLessThan(300)
  return { ...answer, texts: texts.filter((text) => !ASIDE.test(text)) }
}

const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })
const countOf = async (url: string, asked: Asked) => {
  const { texts } = await statementsOf(url, asked)
  return texts.length
}

/** A request by each of them before: an account's first one also writes that it was seen. */
beforeAll(async () => {
  await makeOne(t, modelAt('kitchensink'))
  await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'first' } })
})

test.each(['assets', 'organisations', 'contracts', 'articles', 'kitchensink', 'contacts'])(
  'a keyed creation in %s takes at most 4 statements, an update 4',
  async (path) => {
    const body = await fullBody(t, modelAt(path))
    const made = await statementsOf(`/api/${path}`, { by: ADMIN, body, headers: keyed() })
    expect(made.texts.length, made.texts.join('\n\n')).toBeLessThanOrEqual(4)
    const changes = { ...(await fullBody(t, modelAt(path))), ...unique(path) }
    const url = `/api/${path}/${made.json.id}`
    const changed = await statementsOf(url, { by: ADMIN, method: 'PUT', body: changes })
    expect(changed.texts.length, changed.texts.join('\n\n')).toBeLessThanOrEqual(4)
  },
)

/** What a full body repeats. */
const unique = (path: string) => (path === 'contracts' ? { reference: 'another' } : {})

test('staff’s ticket takes at most 4 statements, with two mails; its update 4; a reply 6', async () => {
  const body = await fullBody(t, modelAt('tickets'), { clientId: ALICE.sub })
  const made = await statementsOf('/api/tickets', { by: ADMIN, body, headers: keyed() })
  expect(made.texts.length, made.texts.join('\n\n')).toBeLessThanOrEqual(4)
  const url = `/api/tickets/${made.json.id}`
  const put = { by: ADMIN, method: 'PUT', body: { subject: 'Changed', priority: 'High' } }
  expect(await countOf(url, put)).toBeLessThanOrEqual(4)
  const reply = { body: { body: 'Yes' } }
  expect(
    await countOf(`${url}/reply`, { by: ADMIN, ...reply, headers: keyed() }),
  ).toBeLessThanOrEqual(6)
  expect(
    await countOf(`${url}/reply`, { by: ALICE, ...reply, headers: keyed() }),
  ).toBeLessThanOrEqual(7)
})

test('a user’s creation and update take one more', async () => {
  const asked = { by: ALICE, body: { text: 'mine' } }
  const made = await statementsOf('/api/kitchensink', { ...asked, headers: keyed() })
  expect(made.texts.length, made.texts.join('\n\n')).toBeLessThanOrEqual(5)
  const put = { ...asked, method: 'PUT', body: { text: 'changed' } }
  expect(await countOf(`/api/kitchensink/${made.json.id}`, put)).toBeLessThanOrEqual(5)
})

test('what else a write takes is known', async () => {
  const id = await makeOne(t, modelAt('assets'))
  const url = `/api/assets/${id}`
  const removed = await statementsOf(url, { by: ADMIN, method: 'DELETE' })
  const restored = await statementsOf(`${url}/restore`, { by: ADMIN, body: {} })
  const operation = restored.headers.get('operation-id')
  const undone = await countOf(`/api/operations/${operation}/undo`, { by: ADMIN })
  const counts = { delete: removed.texts.length, restore: restored.texts.length, undo: undone }
  console.log(JSON.stringify(counts))
  expect(Math.max(...Object.values(counts))).toBeLessThanOrEqual(20)
})
