import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Visitor } from '@gatehouse/model'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../tools/stack/settings.ts'
import {
  ADMIN,
  ALICE,
  BOB,
  sqlOn,
  startApi,
  startTest,
  startWire,
  type Test,
  untilEarlyInTheMinute,
} from '../test/kit.ts'

type Api = Awaited<ReturnType<typeof startApi>>

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

const ABSENT = '33333333-3333-7333-8333-333333333333'
const JSON_TYPE = { 'content-type': 'application/json' }
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

type Request = {
  method?: string
  path: string
  body?: string
  headers?: Record<string, string>
  as?: Visitor
}
const sink = (body: string, headers: Record<string, string> = JSON_TYPE): Request => ({
  method: 'POST',
  path: '/api/kitchen-sinks',
  body,
  headers,
  as: ADMIN,
})
const list = (query: string): Request => ({ path: `/api/kitchen-sinks?${query}`, as: ADMIN })

const PROBLEMS: [title: string, status: number, code: string, request: Request][] = [
  ['an unknown address', 404, 'not-found', { path: '/nowhere' }],
  ['an unknown address of the API', 404, 'not-found', { path: '/api/nowhere/at/all' }],
  ['the root', 404, 'not-found', { path: '/' }],
  ['an address that climbs', 404, 'not-found', { path: '/api/%2e%2e/%2e%2e/etc/passwd' }],
  ['a path that can’t be decoded', 400, 'bad-request', { path: '/api/services/%E0%A4%A' }],
  [
    'an address with a part that is too long',
    404,
    'record-not-found',
    { path: `/api/services/${'x'.repeat(200)}` },
  ],
  [
    'an address with a part that is far too long',
    400,
    'bad-request',
    { path: `/api/services/${'x'.repeat(900)}` },
  ],
  ['an id with the character NUL', 404, 'record-not-found', { path: '/api/services/%00' }],
  ['a record that is not there', 404, 'record-not-found', { path: `/api/services/${ABSENT}` }],
  ['no token where one is needed', 401, 'sign-in-required', { path: '/api/tickets' }],
  [
    'a bad token',
    401,
    'invalid-token',
    { path: '/api/tickets', headers: { authorization: 'Bearer x' } },
  ],
  [
    'a user where an admin is needed',
    403,
    'forbidden',
    { method: 'DELETE', path: `/api/services/${ABSENT}`, as: ALICE },
  ],
  [
    'a method that is not for this',
    405,
    'unsupported-action',
    { method: 'PATCH', path: '/api/services' },
  ],
  ['a body that is too large', 413, 'too-large', sink(`{"text":"${'x'.repeat(300_000)}"}`)],
  ['a body of text', 415, 'unsupported-media-type', sink('x', { 'content-type': 'text/plain' })],
  [
    'a body of a form',
    415,
    'unsupported-media-type',
    sink('text=x', { 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'a body of parts',
    415,
    'unsupported-media-type',
    sink('x', { 'content-type': 'multipart/form-data; boundary=x' }),
  ],
  [
    'a body of XML',
    415,
    'unsupported-media-type',
    sink('<a/>', { 'content-type': 'application/xml' }),
  ],
  ['a body of nonsense', 415, 'unsupported-media-type', sink('x', { 'content-type': '***' })],
  ['a body that is no JSON', 400, 'bad-request', sink('{"text":')],
  ['a body that is two JSONs', 400, 'bad-request', sink('{}{}')],
  ['a body that is empty', 400, 'bad-request', sink('')],
  ['a body that is a list', 400, 'bad-request', sink('[]')],
  ['a body that is a text', 400, 'bad-request', sink('"x"')],
  ['a body that is nothing', 400, 'bad-request', sink('null')],
  ['a body that is 9 deep', 400, 'bad-request', sink(deep(9))],
  ['a body that is very deep', 400, 'bad-request', sink('['.repeat(100_000))],
  ['a body with __proto__', 400, 'bad-request', sink('{"text":"x","__proto__":{"role":"admin"}}')],
  ['a body with __proto__ inside', 400, 'bad-request', sink('{"text":{"__proto__":{}}}')],
  ['a body with __proto__ in disguise', 400, 'bad-request', sink('{"\\u005f_proto__":{}}')],
  [
    'a body with constructor.prototype',
    400,
    'bad-request',
    sink('{"constructor":{"prototype":{}}}'),
  ],
  ['a body with the character NUL', 422, 'invalid-record', sink('{"text":"a\\u0000b"}')],
  ['a body that is 8 deep but not right', 422, 'invalid-record', sink(`{"text":${deep(7)}}`)],
  [
    'a body with braces in a text',
    422,
    'invalid-record',
    sink(`{"text":7,"url":"${'{[\\"'.repeat(20)}"}`),
  ],
  [
    'an invalid key',
    400,
    'bad-request',
    sink('{"text":"x"}', { ...JSON_TYPE, 'idempotency-key': 'a b' }),
  ],
  ['an invalid query', 400, 'invalid-query', list('sort=nope')],
  [
    'a filter that holds SQL',
    400,
    'invalid-query',
    list(`filter=${encodeURIComponent('{"all":[["text","eq\'; select 1","x"]]}')}`),
  ],
]

test.each(PROBLEMS)(
  '[ERR-05] %s returns %i %s as problem details without internals',
  async (_title, status, code, request) => {
    expect(await problemOf(await send(api, request))).toMatchObject({ status, code })
  },
)

test('[ERR-05] a body nested 8 deep, or with brackets inside strings, is accepted', async () => {
  const made = await send(
    api,
    sink(JSON.stringify({ text: '{[{[{[{[{[{[{[', textarea: '\\"[[[[[[[[[[' })),
  )
  expect(made.status).toBe(201)
})

test('[ERR-03] [ERR-05] any other method returns 405 `Unsupported action` with an Allow header', async () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
  for (const [path, allow] of [
    ['/api/services', 'GET, POST'],
    ['/api/kitchensink', 'GET, POST'],
    [`/api/services/${ABSENT}`, 'GET, PUT, DELETE'],
    ['/api/services/form-metadata', 'GET'],
    // Accounts can't be created or deleted through the API.
    ['/api/accounts', 'GET'],
    [`/api/accounts/${ABSENT}`, 'GET, PUT'],
  ] as const)
    for (const method of methods.filter((one) => !allow.split(', ').includes(one))) {
      const response = await send(api, { method, path, as: ADMIN })
      expect([method, path, response.headers.get('allow')]).toEqual([method, path, allow])
      expect(await problemOf(response)).toMatchObject({ status: 405, detail: 'Unsupported action' })
    }
})

test('[ERR-05] input that isn’t HTTP gets problem details', async () => {
  const host = 'Host: x\r\n'
  for (const [status, text] of [
    [400, 'NONSENSE\r\n\r\n'],
    [400, 'GET / HTTP/9.9\r\n\r\n'],
    [400, `GET / HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`],
    [
      400,
      `POST /api/services HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    [431, `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`],
  ] as const) {
    const answer = await exchange(text)
    expect(answer.split('\r\n')[0], text.slice(0, 60)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const problem = new Response(body, { status, headers: headersOf(head) })
    expect(await problemOf(problem)).toMatchObject({ status })
  }
})

test('a response carries its request ID, is not cacheable and doesn’t reveal the software', async () => {
  for (const path of ['/api/services', '/nowhere']) {
    const { headers } = await send(api, { path })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  }
})

test('a response has the HSTS header of the setting, or none', async () => {
  const name = 'strict-transport-security'
  const replica = await another({ hsts: 'max-age=300' })
  for (const path of ['/api/services', '/nowhere', '/healthz']) {
    expect((await send(replica, { path })).headers.get(name)).toBe('max-age=300')
    expect((await send(api, { path })).headers.get(name)).toBe(null)
  }
})

test('every change writes exactly one revision and one audit row in its transaction', async () => {
  const made = await api.call('POST', '/api/kitchen-sinks', ADMIN, { body: { text: 'one' } })
  const { id } = made.json
  const last = async () => {
    const [row] = await api.database.sql(
      `select (select xmin::text from kitchensink where id = $1) as record,
        (select xmin::text from revisions where record_id = $1 order by version desc limit 1) as revision,
        (select xmin::text from audit_events where entity_id = $1 order by seq desc limit 1) as event,
        (select count(*)::int from revisions where record_id = $1) as revisions,
        (select count(*)::int from audit_events where entity_id = $1) as events`,
      [id],
    )
    expect([row.revision, row.event]).toEqual([row.record, row.record])
    return [row.revisions, row.events]
  }
  expect(await last()).toEqual([1, 1])
  await api.call('PUT', `/api/kitchensink/${id}`, ADMIN, { body: { text: 'two' } })
  expect(await last()).toEqual([2, 2])
  await api.call('DELETE', `/api/kitchensink/${id}`, ADMIN)
  expect(await last()).toEqual([3, 3])
  const revisions = await api.database.sql(
    `select action, version, before->>'text' as before, after->>'text' as after, operation_id
      from revisions where record_id = $1 order by version`,
    [id],
  )
  expect(revisions).toMatchObject([
    { action: 'create', version: 1, before: null, after: 'one' },
    { action: 'update', version: 2, before: 'one', after: 'two' },
    { action: 'delete', version: 3, before: 'two', after: null },
  ])
  expect(new Set(revisions.map((revision) => revision.operation_id)).size).toBe(3)
  const events = await api.database.sql('select * from audit_events where entity_id = $1', [id])
  expect(events[1]).toMatchObject({ actor_kind: 'admin', entity: 'kitchensink', fields: ['text'] })
  expect(JSON.stringify(events)).not.toMatch(/"(one|two|sub-admin|Ada Admin)"/)
})

test.each(['audit_events', 'revisions'])(
  'a change rolls back if its row in %s can’t be written',
  async (table) => {
    const made = await api.call('POST', '/api/kitchen-sinks', ADMIN, { body: { text: 'before' } })
    const path = `/api/kitchensink/${made.json.id}`
    await api.database.sql(`revoke insert on ${table} from gatehouse_app`)
    endings.push(() => api.database.sql(`grant insert on ${table} to gatehouse_app`))
    const state = () =>
      api.database.sql(
        `select (select count(*) from kitchensink where text = 'never') as records,
        (select text from kitchensink where id = $1 and deleted_at is null) as text,
        (select count(*) from revisions) as revisions, (select count(*) from audit_events) as events,
        (select count(*) from idempotency_keys) as keys`,
        [made.json.id],
      )
    const before = await state()
    const headers = { ...JSON_TYPE, 'idempotency-key': `no-${table}` }
    for (const request of [
      sink('{"text":"never"}', headers),
      { method: 'PUT', path, body: '{"text":"never"}', headers: JSON_TYPE, as: ADMIN },
      { method: 'DELETE', path, as: ADMIN },
    ])
      expect(await problemOf(await send(api, request))).toMatchObject({
        status: 500,
        code: 'internal-error',
      })
    expect(await state()).toEqual(before)
  },
)

test('a list that takes longer than 2 seconds is cancelled, with advice in the error', async () => {
  const release = await api.database.hold('lock table services in access exclusive mode')
  endings.push(release)
  const started = performance.now()
  const [many, one] = await Promise.all([
    send(api, { path: '/api/services' }),
    send(api, { path: `/api/services/${ABSENT}` }),
  ])
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(await problemOf(many)).toMatchObject({ status: 422, code: 'list-too-slow' })
  // A single record can't be narrowed by a filter, so only a retry helps.
  expect(one.headers.get('retry-after')).toBe('2')
  expect(await problemOf(one)).toMatchObject({ status: 503, code: 'too-slow' })
})

test('a change that waits longer than 2 seconds for a lock returns 503 with Retry-After', async () => {
  const made = await api.call('POST', '/api/kitchen-sinks', ADMIN, { body: { text: 'busy' } })
  const release = await api.database.hold(
    `select 1 from kitchensink where id = '${made.json.id}' for update`,
  )
  endings.push(release)
  const path = `/api/kitchensink/${made.json.id}`
  const answer = await send(api, {
    method: 'PUT',
    path,
    body: '{"text":"x"}',
    headers: JSON_TYPE,
    as: ADMIN,
  })
  expect(answer.headers.get('retry-after')).toBe('2')
  expect(await problemOf(answer)).toMatchObject({ status: 503, code: 'too-slow' })
})

test('the write limit counts per caller across replicas', async () => {
  const limits = { writesPerMinute: 5 }
  const replicas = [await another({ limits }), await another({ limits })]
  await untilEarlyInTheMinute()
  const written = async () => {
    const page = await send(replicas[0] as Api, { path: '/api/kitchensink', as: ALICE })
    return ((await page.json()) as { total: { count: number } }).total.count
  }
  const before = await written()
  const answers: Response[] = []
  for (let turn = 0; turn < 8; turn++)
    answers.push(await send(replicas[turn % 2] as Api, { ...sink('{"text":"x"}'), as: ALICE }))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
  expect(await written()).toBe(before + 5)
  const refused = answers[7] as Response
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await problemOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect((await send(replicas[0] as Api, { ...sink('{"text":"x"}'), as: BOB })).status).toBe(201)
  expect((await send(replicas[0] as Api, { path: '/api/tickets', as: ALICE })).status).toBe(200)
})

test('the write limit is exact under concurrent writes', async () => {
  const replica = await another({ limits: { writesPerMinute: 60 } })
  await untilEarlyInTheMinute()
  const as = { ...BOB, sub: 'sub-busy' }
  const write = () => send(replica, { ...sink('{"text":"x"}'), as })
  const statuses: number[] = [(await write()).status]
  for (let turn = 0; turn < 16; turn++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 4 }, write))).map(({ status }) => status),
    )
  expect(statuses.filter((status) => status === 201)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('the read limit applies before the token is verified, and to unknown paths', async () => {
  for (const request of [
    { path: '/api/services' },
    { path: '/api/services', headers: { authorization: 'Bearer nonsense' } },
    { path: '/nowhere' },
  ]) {
    const replica = await another({ limits: { readsPerMinute: 3 } })
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn++) statuses.push((await send(replica, request)).status)
    expect(statuses).not.toContain(429)
    const refused = await send(replica, request)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await problemOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
    for (let turn = 0; turn < 5; turn++)
      expect((await send(replica, { path: '/healthz' })).status).toBe(200)
  }
})

test('a full server queues requests for 5 seconds, then returns 503, and still responds to health checks', async () => {
  const replica = await another({ poolSize: 2 })
  const hold = await api.database.hold('lock table services in access exclusive mode')
  let held: Promise<void> | null = null
  const release = () => (held ??= hold())
  endings.push(release)
  const from = (host: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${host}` } })
  const inside = Array.from({ length: 10 }, (_, host) =>
    send(replica, { path: '/api/services', ...from(host) }),
  )
  await setTimeout(400)
  const refusing = send(replica, { path: '/api/articles', ...from(100) })
  expect((await send(replica, { path: '/healthz' })).status).toBe(200)
  expect((await send(replica, { path: '/readyz' })).status).toBe(200)
  const refused = await refusing
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'overloaded' })
  await release()
  await Promise.all(inside)
  expect((await send(replica, { path: '/api/articles' })).status).toBe(200)
})

test('an aborted request releases its slot', async () => {
  const replica = await another({ poolSize: 2 })
  const release = await api.database.hold('lock table services in access exclusive mode')
  for (let turn = 0; turn < 6; turn++) {
    const hangUp = AbortSignal.timeout(150)
    await fetch(`${replica.base}/api/services`, { signal: hangUp }).catch(() => null)
  }
  await release()
  await vi.waitFor(
    async () => {
      const answers = [1, 2].map(() => send(replica, { path: '/api/services' }))
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses).toEqual([200, 200])
    },
    { timeout: 5_000 },
  )
})

test('every request gets 503 within 5 seconds without a database, and succeeds once it is back', async () => {
  const wire = await startWire()
  const replica = await another({ databaseUrl: wire.url(api.database.url('gatehouse_app')) })
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
  expect((await send(replica, { path: '/readyz' })).status).toBe(200)
  await wire.cut()
  await expectUnavailable(replica)
  await wire.mend()
  endings.push(wire.cut)
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
  expect((await send(replica, sink('{"text":"after"}'))).status).toBe(201)
  expect((await send(replica, { path: '/readyz' })).status).toBe(200)
})

test('every request gets 503 within 5 seconds if the database is unresponsive', async () => {
  const wire = await startWire()
  endings.push(wire.cut)
  const replica = await another({ databaseUrl: wire.url(api.database.url('gatehouse_app')) })
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
  wire.state.isSilent = true
  await expectUnavailable(replica)
  wire.state.isSilent = false
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
})

test('a change gets 503 within 5 seconds if the database stops responding during it', async () => {
  const made = await api.call('POST', '/api/kitchen-sinks', ADMIN, { body: { text: 'middle' } })
  const wire = await startWire()
  endings.push(wire.cut)
  const replica = await another({ databaseUrl: wire.url(api.database.url('gatehouse_app')) })
  const release = await api.database.hold(
    `select 1 from kitchensink where id = '${made.json.id}' for update`,
  )
  endings.push(release)
  const path = `/api/kitchensink/${made.json.id}`
  const changing = send(replica, {
    method: 'PUT',
    path,
    body: '{"text":"x"}',
    headers: JSON_TYPE,
    as: ADMIN,
  })
  await setTimeout(500)
  const started = performance.now()
  wire.state.isSilent = true
  expect(await problemOf(await changing)).toMatchObject({
    status: 503,
    code: 'database-unavailable',
  })
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('the API starts without a database and returns 503 until there is one', async () => {
  const port = await freePort()
  const databaseUrl = api.database.url('gatehouse_app').replace(/:\d+\//, `:${port}/`)
  const replica = await another({ databaseUrl })
  await expectUnavailable(replica)
  expect(replica.app.server.listening).toBe(true)
})

test('connections closed by the database are replaced silently', async () => {
  const replica = await another()
  await Promise.all([1, 2, 3].map(() => send(replica, { path: '/api/services' })))
  await sqlOn(
    api.database.url('postgres'),
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse_app' and datname = current_database()`,
  )
  await setTimeout(200)
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
  expect((await send(replica, sink('{"text":"again"}'))).status).toBe(201)
})

test('writes return 503 and reads 200 on a read-only database, as after a failover', async () => {
  const wire = await startWire()
  endings.push(wire.cut)
  const readOnly = `${wire.url(api.database.url('gatehouse_app'))}?options=-c%20default_transaction_read_only%3Don`
  const replica = await another({ databaseUrl: readOnly })
  expect((await send(replica, { path: '/api/services' })).status).toBe(200)
  expect(await problemOf(await send(replica, sink('{"text":"x"}')))).toMatchObject({
    status: 503,
    code: 'database-unavailable',
  })
})

test('/healthz reports that the process is alive, /readyz that it can serve', async () => {
  const [health, ready] = [
    await send(api, { path: '/healthz' }),
    await send(api, { path: '/readyz' }),
  ]
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
})

test.each([
  [
    'services.planted is not declared',
    'alter table services add column planted text',
    'alter table services drop column planted',
  ],
  ['planted.x is not declared', 'create table planted (x text)', 'drop table planted'],
  ['planted is not declared', 'create table planted ()', 'drop table planted'],
  [
    'planted.email is not declared',
    'create materialized view planted as select email from tickets',
    'drop materialized view planted',
  ],
  [
    'elsewhere.planted.x is not declared',
    'create schema elsewhere; create table elsewhere.planted (x text)',
    'drop schema elsewhere cascade',
  ],
  [
    'services.docs_url is missing',
    'alter table services rename docs_url to gone',
    'alter table services rename gone to docs_url',
  ],
  [
    'articles.title is missing',
    'alter table articles rename to gone',
    'alter table gone rename to articles',
  ],
])(
  '/readyz returns 503 with "%s", even for a running replica, and 200 once repaired',
  async (what, damage, repair) => {
    const running = await another()
    expect((await send(running, { path: '/readyz' })).status).toBe(200)
    await api.database.sql(damage)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + 11_000)
    try {
      for (const replica of [running, await another()]) {
        const problem = await problemOf(await send(replica, { path: '/readyz' }))
        expect(problem).toMatchObject({ status: 503, code: 'schema-differs' })
        expect(problem.detail).toContain(what)
        expect((await send(replica, { path: '/healthz' })).status).toBe(200)
      }
    } finally {
      later.mockRestore()
      await api.database.sql(repair)
    }
    expect((await send(running, { path: '/readyz' })).status).toBe(200)
  },
)

test('/readyz ignores objects of extensions and declared schemas, and undeclared ones with UNDECLARED=warn', async () => {
  const superuser = api.database.url('postgres')
  await sqlOn(superuser, 'create extension pg_stat_statements')
  await api.database.sql('create schema hosting; create table hosting.planted (x text)')
  try {
    expect((await send(await another(), { path: '/readyz' })).status).toBe(503)
    for (const options of [{ foreignSchemas: ['hosting'] }, { undeclared: 'warn' as const }])
      expect((await send(await another(options), { path: '/readyz' })).status).toBe(200)
    await api.database.sql('alter table services rename docs_url to gone')
    expect((await send(await another({ undeclared: 'warn' }), { path: '/readyz' })).status).toBe(
      503,
    )
  } finally {
    await api.database.sql(`alter table services rename gone to docs_url;
      drop schema hosting cascade`)
    await sqlOn(superuser, 'drop extension pg_stat_statements')
  }
})

test('a replica starts on tables migrated by newer code, as after a rollback', async () => {
  await api.database.sql(`alter table services add column newer text;
    insert into migrations (name) values ('9999-newer.sql')`)
  const replica = await another()
  expect((await send(replica, { path: '/readyz' })).status).toBe(200)
  await api.database.sql(`alter table services drop column newer;
    delete from migrations where name = '9999-newer.sql'`)
})

test('a stopping replica reports not ready and finishes requests in flight', async () => {
  const replica = await another()
  expect((await send(replica, { path: '/readyz' })).status).toBe(200)
  const release = await api.database.hold('lock table services in access exclusive mode')
  const underWay = send(replica, { path: '/api/services' })
  await setTimeout(300)
  replica.readiness.isStopping = true
  expect(await problemOf(await send(replica, { path: '/readyz' }))).toMatchObject({
    status: 503,
    code: 'stopping',
  })
  expect((await send(replica, { path: '/healthz' })).status).toBe(200)
  const stopped = replica.app.close()
  await release()
  expect((await underWay).status).toBe(200)
  await stopped
  await expect(send(replica, { path: '/healthz' })).rejects.toThrow('fetch failed')
})

async function another(options: Partial<Parameters<typeof startApi>[0]> = {}): Promise<Api> {
  const replica = await startApi({
    databaseUrl: api.database.url('gatehouse_app'),
    keys: api.keys,
    ...options,
  })
  endings.push(replica.stop)
  return replica
}

async function send({ base }: { base: string }, { as, path, ...request }: Request) {
  const authorization = as ? { authorization: `Bearer ${await api.tokenOf(as)}` } : {}
  const headers = { ...authorization, ...request.headers }
  return fetch(`${base}${path}`, { ...request, headers })
}

const PROBLEM_KEYS = ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors', 'current']
const LEAKED_INTERNALS =
  /\bat .+:\d+|node_modules|\/(work|src|tmp|usr)\b|\.[cm]?[jt]s\b|\b(select|insert|update|delete) .*\b(from|into|set)\b|relation "|column "|pg_|postgres|fastify|FST_|HPE_|node\b|\d+\.\d+\.\d+/i

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const text = await response.text()
  expect(text).not.toMatch(LEAKED_INTERNALS)
  const problem = JSON.parse(text)
  expect(PROBLEM_KEYS).toEqual(expect.arrayContaining(Object.keys(problem)))
  expect(problem).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status: response.status,
    detail: expect.stringMatching(/^.{5,}/),
    code: expect.stringMatching(/^[a-z-]+$/),
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  return problem
}

async function expectUnavailable(replica: Api) {
  const requests: Request[] = [
    { path: '/api/services' },
    { path: '/api/tickets', as: ALICE },
    sink('{"text":"x"}'),
    { method: 'DELETE', path: `/api/kitchensink/${ABSENT}`, as: ADMIN },
    { path: '/readyz' },
  ]
  await Promise.all(
    requests.map(async (request) => {
      const started = performance.now()
      const answer = await send(replica, request)
      expect(performance.now() - started).toBeLessThan(5_000)
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(await problemOf(answer)).toMatchObject({ status: 503, code: 'database-unavailable' })
    }),
  )
  expect((await send(replica, { path: '/healthz' })).status).toBe(200)
}

/** Raw socket, because fetch can't send malformed requests. */
function exchange(text: string) {
  return new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').setTimeout(5_000, () => socket.destroy())
    socket.on('data', (part) => {
      answer += String(part)
      if (answer.includes('}')) socket.destroy()
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
}

const headersOf = (head: string) =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  )
