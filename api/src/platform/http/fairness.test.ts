import { setTimeout } from 'node:timers/promises'
import { problemMessages } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  ADMIN,
  ALICE,
  BOB,
  sqlOn,
  startApi,
  startTest,
  untilEarlyInTheMinute,
  type Person,
  type Test,
} from '../../../test/kit.ts'
import { PUBLIC } from './access-level.ts'

/** As in fair-queue.ts. */
const QUEUE_MAX = 64
const QUEUE_MS = 5_000
/** One caller's share of the test pool. */
const SHARE = 2
const MANY = 100

let t: Test
beforeAll(async () => {
  t = await startTest({ limits: { placesPerCaller: null } })
  // First sign-ins write accounts, which must not be measured.
  for (const person of [ADMIN, ALICE, BOB, null]) await t.call('GET', '/api/services', person)
})
afterAll(() => t.stop())

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

const many = (count: number, path: string, person: Person, headers = {}) =>
  Array.from({ length: count }, () => t.call('GET', path, person, { headers }))

/** Makes reads of this table time out after 2 s, including those of tables that refer to it (none refer to articles). */
async function slowDown(table: string) {
  const release = await t.database.hold(`lock table ${table} in access exclusive mode`)
  let released: Promise<void> | null = null
  const once = () => (released ??= release())
  endings.push(once)
  return once
}

const codesOf = (responses: { status: number; json: { code?: string } }[]) => [
  ...new Set(responses.map(({ status, json }) => [status, json.code].filter(Boolean).join(' '))),
]

test.each([
  ['slow lists', 'articles', '/api/articles', '422 list-too-slow'],
  ['counts', 'articles', '/api/models/counts', '200'],
])(
  'one account with a hundred concurrent %s gets 429, while other accounts’ lists respond immediately',
  async (_what, table, path, expected) => {
    await slowDown(table)
    const attack = many(MANY, path, ALICE)
    await setTimeout(300)
    for (let turn = 0; turn < 5; turn++) {
      const started = performance.now()
      const others = await Promise.all(
        [BOB, ADMIN].map((person) => t.call('GET', '/api/tickets', person)),
      )
      expect(codesOf(others)).toEqual(['200'])
      expect(performance.now() - started).toBeLessThan(1_000)
      await setTimeout(300)
    }
    const responses = await Promise.all(attack)
    expect(codesOf(responses).toSorted()).toEqual([expected, '429 too-many-requests'].toSorted())
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '5'))
  },
  20_000,
)

test('requests over a caller’s share are queued, up to 64 and for 5 seconds, then get 429', async () => {
  await slowDown('services')
  const started = performance.now()
  const times: number[] = []
  const timed = many(SHARE + QUEUE_MAX + 4, '/api/services', ALICE).map(async (response) => {
    const { status } = await response
    if (status === 429) times.push(performance.now() - started)
    return status
  })
  const statuses = await Promise.all(timed)
  const immediate = times.filter((ms) => ms < QUEUE_MS / 2)
  expect(immediate).toHaveLength(4)
  expect(times.filter((ms) => ms >= QUEUE_MS - 100).length).toBe(times.length - immediate.length)
  // Two at a time, 2 seconds each: three rounds start within the 5 seconds.
  expect(statuses.filter((status) => status === 422).length).toBeGreaterThanOrEqual(SHARE * 2)
})

test('an admin’s desk in three tabs, seventeen lists each, is never rejected', async () => {
  const attack = [...many(MANY, '/api/services', ALICE), ...many(MANY, '/api/models/counts', BOB)]
  const desks = await Promise.all(many(3 * 17, '/api/tickets?limit=1', ADMIN))
  expect(codesOf(desks)).toEqual(['200'])
  await Promise.all(attack)
})

test('aborted requests leave the queue: a page reloaded repeatedly is served', async () => {
  const release = await slowDown('services')
  const authorization = `Bearer ${await t.tokenOf(ALICE)}`
  const request = (signal: AbortSignal) =>
    fetch(`${t.base}/api/services`, { headers: { authorization }, signal }).catch(() => null)
  for (let reload = 0; reload < 6; reload++) {
    const signal = AbortSignal.timeout(150)
    await Promise.all(Array.from({ length: 17 }, () => request(signal)))
  }
  await release()
  expect(codesOf(await Promise.all(many(17, '/api/services', ALICE)))).toEqual(['200'])
})

test('anonymous callers share slots by address, or by /64 for IPv6', async () => {
  const release = await slowDown('articles')
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const attack = Array.from({ length: MANY }, (_, host) =>
    t.call('GET', '/api/articles', null, {
      headers: from(`2001:db8:1:2::${host.toString(16)}`),
    }),
  )
  await setTimeout(300)
  const started = performance.now()
  const other = await t.call('GET', '/api/services', null, { headers: from('2001:db8:1:3::1') })
  expect(other.status).toBe(200)
  expect(performance.now() - started).toBeLessThan(1_000)
  await release()
  const responses = await Promise.all(attack)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(MANY - SHARE - QUEUE_MAX)
})

test('a caller over budget has one slot, and sequential requests are still served', async () => {
  // A burst of 100 ms, then almost nothing.
  const poor = await startApi({
    databaseUrl: t.database.url('gatehouse_app'),
    keys: t.keys,
    limits: { placesPerCaller: null, databaseSecondsPerMinute: 0.3 },
  })
  endings.push(poor.stop)
  const headers = { authorization: `Bearer ${await t.tokenOf(ALICE)}` }
  const request = (path: string) => fetch(`${poor.base}${path}`, { headers })
  const release = await slowDown('services')
  const running = () =>
    sqlOn(
      t.database.url('postgres'),
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  const first = [request('/api/services'), request('/api/services'), request('/api/services')]
  await setTimeout(500)
  expect(await running()).toHaveLength(SHARE)
  await setTimeout(2_000)
  expect(await running()).toHaveLength(1)
  await release()
  await Promise.all(first)
  for (let turn = 0; turn < 20; turn++) expect((await request('/api/services')).status).toBe(200)
}, 15_000)

test('under overload anonymous callers are rejected unqueued, after a second; known callers and health checks are not', async () => {
  const replica = await startApi({
    databaseUrl: t.database.url('gatehouse_app'),
    keys: t.keys,
    poolSize: 2,
    extend: (app) =>
      app.get('/api/slowly', { config: { needs: PUBLIC } }, async () => {
        await replica.db.query(sql`select pg_sleep(0.1)`)
        return {}
      }),
  })
  endings.push(replica.stop)
  const request = async (path: string, index: number, headers = {}) => {
    const response = await fetch(`${replica.base}${path}`, {
      headers: { 'x-forwarded-for': `10.0.${index}.1`, ...headers },
    })
    await response.arrayBuffer()
    return [response.status, response.headers.get('retry-after')]
  }
  expect(await request('/api/slowly', 0)).toEqual([200, null])
  const known = { authorization: `Bearer ${await t.tokenOf(BOB)}` }
  expect(await request('/api/slowly', 203, known)).toEqual([200, null])
  // Twice what the queue holds: who is rejected returns only after a second. Paused, because it shares a process with the server.
  let isOver = false
  const load = Array.from({ length: 200 }, async (_, index) => {
    const responses = [await request('/api/slowly', index)]
    for (; !isOver; await setTimeout(50)) responses.push(await request('/api/slowly', index))
    return responses
  })
  endings.push(() => Promise.allSettled(load))
  try {
    await vi.waitFor(async () => {
      const sentAt = performance.now()
      const response = await fetch(`${replica.base}/api/slowly`, {
        headers: { 'x-forwarded-for': '10.0.201.1' },
      })
      expect(performance.now() - sentAt).toBeGreaterThan(950)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      expect(response.headers.get('content-type')).toContain('application/problem+json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
        detail: problemMessages.overloaded,
        code: 'overloaded',
        requestId: response.headers.get('x-request-id'),
      })
    }, 20_000)
    expect(await request('/healthz', 202)).toEqual([200, null])
    for (let turn = 0; turn < 10; turn++)
      expect(await request('/api/slowly', 203, known)).toEqual([200, null])
    // Uncached tokens are still verified, eight at a time.
    const fresh = { authorization: `Bearer ${await t.tokenOf({ ...ALICE, sub: 'sub-fresh' })}` }
    expect(await request('/api/slowly', 204, fresh)).toEqual([200, null])
    const forged = await t.keys.sign({ sub: 'nobody' }, { header: { kid: 'made-up' } })
    await vi.waitFor(async () => {
      const requests = Array.from({ length: 40 }, () =>
        request('/api/slowly', 205, { authorization: `Bearer ${forged}` }),
      )
      const statuses = (await Promise.all(requests)).map(([status]) => status)
      expect(new Set(statuses)).toEqual(new Set([401, 503]))
    }, 20_000)
  } finally {
    isOver = true
  }
  const statuses = Object.groupBy((await Promise.all(load)).flat(), String)
  expect(Object.keys(statuses).toSorted()).toEqual(['200,', '503,2'])
  expect(await request('/api/slowly', 201, { authorization: 'Bearer forged' })).toEqual([401, null])
}, 40_000)

test('a count that times out is null, and the others are returned', async () => {
  await slowDown('articles')
  const started = performance.now()
  const { status, json } = await t.call('GET', '/api/models/counts', ADMIN)
  expect(performance.now() - started).toBeLessThan(QUEUE_MS)
  expect(status).toBe(200)
  expect(json.articles).toBeNull()
  expect(json.tickets).toEqual({ count: 0, exact: true })
  expect(Object.values(json).filter((count) => count === null)).toHaveLength(1)
})

test('signed-in users are rate-limited by account; forged tokens and anonymous callers by address', async () => {
  const perMinute = 5
  const replica = await startApi({
    databaseUrl: t.database.url('gatehouse_app'),
    keys: t.keys,
    limits: { readsPerMinute: perMinute },
  })
  endings.push(replica.stop)
  const people = Array.from({ length: 20 }, (_, n) => ({ ...ALICE, sub: `sub-office-${n}` }))
  const tokens = await Promise.all(people.map((person) => t.tokenOf(person)))
  const request = async (token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    return (await fetch(`${replica.base}/api/models`, { headers })).status
  }
  await untilEarlyInTheMinute()
  for (const token of tokens)
    for (let turn = 0; turn < perMinute; turn++) expect(await request(token)).toBe(200)
  expect(await request(tokens[0])).toBe(429)
  const known = await t.tokenOf(BOB)
  expect(await request(known)).toBe(200)
  const forged = await t.keys.sign({ sub: 'nobody' }, { header: { kid: 'made-up' } })
  const immediate = await Promise.all(Array.from({ length: perMinute * 4 }, () => request(forged)))
  expect(immediate.filter((status) => status === 401)).toHaveLength(perMinute)
  expect(immediate.filter((status) => status === 429)).toHaveLength(perMinute * 3)
  expect(await request()).toBe(429)
  // Anonymous callers at the same address don't use up the limit of any token, cached or new.
  expect(await request(known)).toBe(200)
  expect(await request(await t.tokenOf({ ...ALICE, sub: 'sub-office-late' }))).toBe(200)
}, 40_000)
