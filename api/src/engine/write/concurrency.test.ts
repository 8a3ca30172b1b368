import type { Visitor } from '@gatehouse/model'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startApi, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'

const { sink, group, inGroup } = fixture
const URL = `/api/${sink.routeName}`

type Answer = Awaited<ReturnType<Test['call']>>

let api: Test
let second: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  api = await startTest()
  second = await startApi({ databaseUrl: api.database.url('gatehouse_app'), keys: api.keys })
})
afterAll(async () => {
  await second.stop()
  await api.stop()
})

test('of 50 parallel PUTs with one ETag exactly 1 wins, and the others get the current record', async () => {
  const { url, id } = await newRecord()
  const answers = await many(50, (place, base) =>
    send(base, 'PUT', url, ADMIN, { text: `writer ${place}` }, { 'if-match': '"1"' }),
  )
  expect(countBy(answers)).toEqual({ 200: 1, 412: 49 })
  const winner = answers.find(({ status }) => status === 200)?.json
  expect(winner).toMatchObject({ version: 2 })
  for (const { status, json } of answers) {
    const shown = status === 200 ? json : json.current
    expect(shown).toEqual(winner)
  }
  expect((await api.call('GET', url, ADMIN)).json).toEqual(winner)
  expect(await tracesOf(id)).toEqual(['create done 1', 'update done 2'])
})

test('50 parallel PUTs without If-Match all succeed, each with one revision and one audit row', async () => {
  const { url, id } = await newRecord()
  const answers = await many(50, (place, base) =>
    send(base, 'PUT', url, ADMIN, { text: `writer ${place}` }),
  )
  expect(countBy(answers)).toEqual({ 200: 50 })
  const traces = Array.from({ length: 50 }, (_, place) => `update unconditional ${place + 2}`)
  expect(await tracesOf(id)).toEqual(['create done 1', ...traces])
})

test('of 50 parallel DELETEs exactly 1 succeeds', async () => {
  const { url, id } = await newRecord()
  const answers = await many(50, (_place, base) => send(base, 'DELETE', url, ADMIN))
  expect(countBy(answers)).toEqual({ 204: 1, 404: 49 })
  expect(await tracesOf(id)).toEqual(['create done 1', 'delete unconditional 2'])
})

test.runIf(fixture.name === 'product')(
  'no concurrent write adds a reference to a record being deleted',
  async () => {
    const organisation = await made(`/api/${group.path}`, { name: 'Acme' })
    for (let round = 0; round < 15; round++) {
      const service = await made('/api/services', {
        name: 'Care',
        slug: `care-${round}`,
        category: 'Advisory',
        summary: 'S',
        description: 'D',
      })
      const contract = {
        reference: `C-${round}`,
        organisation: organisation.id,
        service: service.id,
        startOn: '2020-01-01',
      }
      const [deleted, created] = await Promise.all([
        send(api.base, 'DELETE', `/api/services/${service.id}`, ADMIN),
        send(second.base, 'POST', '/api/contracts', ADMIN, contract),
      ])
      expect([`${deleted.status} ${created.status}`]).toEqual([
        expect.stringMatching(/^(204 422|409 201)$/),
      ])
    }
  },
)

test('50 parallel POSTs with one Idempotency-Key on two replicas create exactly 1 record', async () => {
  const headers = { 'idempotency-key': 'fifty' }
  const body = { text: 'once', multiselect: ['red'] }
  const answers = await many(50, (_place, base) => send(base, 'POST', URL, ALICE, body, headers))
  const created = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(created.length).toBeGreaterThan(0)
  expect(new Set(created.map(({ text }) => text)).size).toBe(1)
  for (const { status, json, headers: responseHeaders } of refused)
    expect([status, json.code, responseHeaders.get('retry-after')]).toEqual([409, 'in-flight', '2'])
  expect(await countOf(`text = 'once'`)).toBe(1)
  expect(await tracesOf(created[0]?.json.id)).toEqual(['create done 1'])
})

test('while the first request with a key is in flight, a second gets 409 without waiting', async () => {
  const post = (base: string) =>
    send(base, 'POST', `/api/${sink.path}`, ALICE, { text: 'slow' }, { 'idempotency-key': 'slow' })
  const release = await api.database.hold(`lock table ${sink.path} in share mode`)
  const first = post(api.base)
  await setTimeout(300)
  const started = performance.now()
  expect((await post(second.base)).json.code).toBe('in-flight')
  expect(performance.now() - started).toBeLessThan(1_500)
  await release()
  const answer = await first
  expect(answer.status).toBe(201)
  expect((await post(second.base)).text).toBe(answer.text)
})

test('a retried creation gets the first response, byte for byte, even after the record was changed or deleted', async () => {
  const organisation = await made(`/api/${group.path}`, { name: 'Label' })
  const body = {
    text: 'as it was',
    textarea: 'long',
    markdown: '# long',
    email: 'Replay@Example.test',
    tel: '+353 1 234',
    url: 'https://example.test/',
    integer: -7,
    decimal: 12.3,
    boolean: false,
    date: '2026-01-31',
    endDate: '2026-02-01',
    datetime: '2026-01-31T10:00:00+02:00',
    select: 'two',
    multiselect: ['blue', 'red'],
    [inGroup]: organisation.id,
    owner: 'sub-someone',
    secret: 'hidden',
  }
  const post = (base: string) =>
    send(base, 'POST', URL, ADMIN, body, { 'idempotency-key': 'replay' })
  const first = await post(api.base)
  expect(first.status, first.text).toBe(201)
  const url = `/api/${sink.path}/${first.json.id}`
  await send(api.base, 'PUT', url, ADMIN, { text: 'changed', decimal: 1, multiselect: [] })
  const changed = await post(second.base)
  await send(api.base, 'DELETE', url, ADMIN)
  const deleted = await post(second.base)
  for (const again of [changed, deleted]) {
    expect([again.status, again.text]).toEqual([201, first.text])
    for (const header of ['location', 'etag', 'content-type'])
      expect(again.headers.get(header)).toBe(first.headers.get(header))
  }
  expect(await tracesOf(first.json.id)).toEqual([
    'create done 1',
    'update unconditional 2',
    'delete unconditional 3',
  ])
})

test('an idempotency key reused with another body or model is rejected', async () => {
  const headers = { 'idempotency-key': 'reused' }
  await send(api.base, 'POST', URL, ADMIN, { text: 'one' }, headers)
  const other = await send(second.base, 'POST', URL, ADMIN, { text: 'two' }, headers)
  expect([other.status, other.json.code]).toEqual([422, 'key-reused'])
  const elsewhere = await send(
    second.base,
    'POST',
    `/api/${group.path}`,
    ADMIN,
    { name: 'x' },
    headers,
  )
  expect([elsewhere.status, elsewhere.json.code]).toEqual([422, 'key-reused'])
  expect(await countOf(`text = 'two'`)).toBe(0)
})

test('an idempotency key belongs to its caller: another user creates their own record with it', async () => {
  const headers = { 'idempotency-key': 'shared' }
  const post = (visitor: Visitor) => send(api.base, 'POST', URL, visitor, { text: 'mine' }, headers)
  const [alice, bob] = [await post(ALICE), await post(BOB)]
  expect([alice.status, bob.status]).toEqual([201, 201])
  expect(bob.json.id).not.toBe(alice.json.id)
  expect([alice.json.owner, bob.json.owner]).toEqual([ALICE.sub, BOB.sub])
  expect((await post(ALICE)).text).toBe(alice.text)
})

test('a failed request stores no idempotency key', async () => {
  const headers = { 'idempotency-key': 'second-try' }
  const post = (body: object) => send(api.base, 'POST', URL, ALICE, body, headers)
  expect((await post({ text: '' })).status).toBe(422)
  expect((await post({ text: 'right' })).status).toBe(201)
})

test('a retried creation returns 410 after the record was purged', async () => {
  const post = () =>
    send(api.base, 'POST', URL, ADMIN, { text: 'gone' }, { 'idempotency-key': 'gone' })
  const first = await post()
  await api.database.sql(`delete from ${sink.path} where id = $1`, [first.json.id])
  const again = await post()
  expect([again.status, again.json.code]).toEqual([410, 'record-erased'])
  expect(await countOf(`text = 'gone'`)).toBe(0)
})

test('only a request’s hash, status, IDs and confirmation are stored', async () => {
  const headers = { 'idempotency-key': 'stored' }
  const values = { text: 'a-very-special-text', email: 'special@example.test' }
  const answer = await send(api.base, 'POST', URL, ALICE, values, headers)
  const [row] = await api.database.sql(`select * from idempotency_keys where key = 'stored'`)
  expect(row).toEqual({
    owner_ref: expect.any(String),
    key: 'stored',
    request_hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    status: 201,
    record_id: answer.json.id,
    revision_id: expect.any(String),
    created_at: expect.any(Date),
    replays: 0,
    is_confirmed: null,
  })
  expect(JSON.stringify(row)).not.toMatch(/special|sub-alice/)
})

test('an idempotency key expires after 24 hours, not before', async () => {
  const headers = { 'idempotency-key': 'old' }
  const post = () => send(api.base, 'POST', URL, ADMIN, { text: 'old' }, headers)
  const age = (interval: string) =>
    api.database.sql(
      `update idempotency_keys set created_at = now() - $1::interval where key = 'old'`,
      [interval],
    )
  const first = await post()
  await age('23 hours 59 minutes')
  expect((await post()).json.id).toBe(first.json.id)
  await age('24 hours 1 second')
  const fresh = await post()
  expect(fresh.status).toBe(201)
  expect(fresh.json.id).not.toBe(first.json.id)
  // From now on the key belongs to the new record.
  expect((await post()).json.id).toBe(fresh.json.id)
})

test.each(['', ' ', 'two words', 'x'.repeat(256), 'é'])(
  'an Idempotency-Key of «%s» is rejected',
  async (key) => {
    const { status, json } = await send(
      api.base,
      'POST',
      URL,
      ADMIN,
      { text: 'x' },
      { 'idempotency-key': key },
    )
    expect([status, json.code]).toEqual([400, 'bad-request'])
  },
)

test.each(['PUT', 'DELETE'])('If-Match on %s is honoured, but optional', async (method) => {
  const attempt = async (ifMatch: string | null) => {
    const { url, id } = await newRecord()
    await send(api.base, 'PUT', url, ADMIN, { text: 'second version' }, { 'if-match': '"1"' })
    const headers = ifMatch === null ? {} : { 'if-match': ifMatch }
    const body = method === 'PUT' ? { text: 'third version' } : undefined
    const { status, json } = await send(api.base, method, url, ADMIN, body, headers)
    const traces = await tracesOf(id)
    return { status, current: json?.current?.text, trace: traces[2] }
  }
  const done =
    method === 'PUT' ? { status: 200, action: 'update' } : { status: 204, action: 'delete' }
  const passed = { status: done.status, current: undefined, trace: `${done.action} done 3` }
  const refused = { status: 412, current: 'second version', trace: undefined }
  expect(await attempt('"2"')).toEqual(passed)
  expect(await attempt('"1", "2"')).toEqual(passed)
  expect(await attempt('*')).toEqual(passed)
  expect(await attempt('"1"')).toEqual(refused)
  expect(await attempt('"3"')).toEqual(refused)
  // Compressing proxies weaken ETags; the version is the same.
  expect(await attempt('W/"2"')).toEqual(passed)
  expect(await attempt('W/"1"')).toEqual(refused)
  expect(await attempt('nonsense')).toEqual(refused)
  expect(await attempt(null)).toEqual({ ...passed, trace: `${done.action} unconditional 3` })
})

test('an unchanged save keeps the version and writes no revision', async () => {
  const values = { decimal: 0.1, datetime: '2026-01-31T10:00:00Z', multiselect: ['red', 'blue'] }
  const { url, id } = await newRecord(values)
  const before = await api.call('GET', url, ADMIN)
  for (const body of [
    {},
    { text: 'new' },
    { ...values, text: 'new', datetime: '2026-01-31T12:00:00+02:00', email: null },
  ]) {
    const saved = await send(api.base, 'PUT', url, ADMIN, body)
    expect([saved.status, saved.text]).toEqual([200, before.text])
  }
  expect(await tracesOf(id)).toEqual(['create done 1'])
})

/** All concurrently, half to each replica; retries 503s. */
const many = (count: number, run: (place: number, base: string) => Promise<Answer>) =>
  Promise.all(
    Array.from({ length: count }, async (_, place) => {
      for (let tries = 1; ; tries++) {
        const answer = await run(place, place % 2 ? api.base : second.base)
        if (answer.status !== 503 || tries === 5) return answer
        await setTimeout(1_000 * Number(answer.headers.get('retry-after')))
      }
    }),
  )

async function send(
  base: string,
  method: string,
  path: string,
  visitor: Visitor,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(visitor ? { authorization: `Bearer ${await api.tokenOf(visitor)}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text ? JSON.parse(text) : null,
  }
}

async function made(path: string, body: object) {
  const { status, text, json } = await api.call('POST', path, ADMIN, { body })
  expect(status, text).toBe(201)
  return json
}

async function newRecord(values: object = {}) {
  const { id } = await made(URL, { text: 'new', ...values })
  return { id: String(id), url: `/api/${sink.path}/${id}` }
}

/** The audit rows of a record, which must agree with its revisions. */
async function tracesOf(id: string) {
  const events = await api.database.sql(
    `select action, outcome from audit_events where entity_id = $1 order by seq`,
    [id],
  )
  const revisions = await api.database.sql(
    `select action, version from revisions where record_id = $1 order by version`,
    [id],
  )
  expect(revisions.map(({ action }) => action)).toEqual(events.map(({ action }) => action))
  return events.map(
    ({ action, outcome }, place) => `${action} ${outcome} ${revisions[place].version}`,
  )
}

async function countOf(where: string) {
  const rows = await api.database.sql(`select 1 from ${sink.path} where ${where}`)
  return rows.length
}

const countBy = (answers: Answer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all?.length,
    ]),
  )
