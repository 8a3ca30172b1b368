import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sendRequest, IDENTITY_HOST, startFront } from './nginx-test-server.ts'
import { PRODUCTION_LIMITS } from '../stack/nginx.ts'

const STRANGER = '127.0.0.9'
const BODIES_MAX = Number(PRODUCTION_LIMITS['API_CONNECTIONS_PER_ADDRESS'])
/** As in the drill: sixty users sign in within a minute, each at the second attempt. */
const MONDAY_SIGN_INS = 120
const HALF_A_HEAD = 'GET / HTTP/1.1\r\nhost: gatehouse.test\r\n'
const SLOW_BODY =
  'POST /api/privacy/requests HTTP/1.1\r\nhost: gatehouse.test\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function startUpstream() {
  const server = createServer((asked, response) =>
    response.end(asked.headers['x-forwarded-for']),
  ).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function openFront(options: Parameters<typeof startFront>[0] = {}) {
  const front = await startFront({ upstream: await startUpstream(), ...options })
  closers.push(front.stop)
  return front
}

type Held = { first: string; from?: string }

/** A connection with an unfinished request. */
async function holdOne(port: number, { first, from = STRANGER }: Held) {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  closers.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(first)
  return socket
}

const PROBLEM = {
  type: 'about:blank',
  title: 'Too Many Requests',
  status: 429,
  detail: 'Too many requests. Try again in 2 seconds.',
  code: 'too-many-requests',
  requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
}

test('every server closes a silent connection and an unfinished header after five seconds, even if it drips', async () => {
  const front = await openFront()
  const started = Date.now()
  const heads = [front.https, front.http, front.identity].map(async (port) => {
    const socket = await holdOne(port, { first: HALF_A_HEAD })
    const drip = setInterval(() => socket.write('x-more: 1\r\n'), 1_000)
    await once(socket.resume(), 'close')
    clearInterval(drip)
    return Date.now() - started
  })
  const silence = holdOne(front.https, { first: '' }).then(async (socket) => {
    await once(socket.resume(), 'close')
    return Date.now() - started
  })
  for (const after of await Promise.all([...heads, silence])) {
    expect(after).toBeGreaterThan(4_000)
    expect(after).toBeLessThan(7_500)
  }
}, 20_000)

test('one address may send 500 slow bodies concurrently; its next request is rejected, others’ are served', async () => {
  const front = await openFront()
  for (let held = 0; held < BODIES_MAX; held++) await holdOne(front.https, { first: SLOW_BODY })
  await setTimeout(200)
  const refused = await sendRequest(front.https, { path: '/api/tickets', from: STRANGER })
  expect(refused.status).toBe(429)
  expect(refused.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': '2',
    'cache-control': 'no-store',
  })
  expect(JSON.parse(refused.text)).toEqual(PROBLEM)
  const keyed = { path: '/api/tickets', from: STRANGER, body: '{}' }
  expect(
    await sendRequest(front.https, { ...keyed, headers: { 'idempotency-key': 'x' } }),
  ).toMatchObject({
    status: 429,
  })
  const record = await sendRequest(front.https, { path: '/api/tickets/1', from: STRANGER })
  expect(JSON.parse(record.text)).toEqual(PROBLEM)
  expect((await sendRequest(front.https, { path: '/api/tickets' })).status).toBe(200)
  // Pages are files and are still served to an address at its limit.
  expect((await sendRequest(front.https, { path: '/config.json', from: STRANGER })).status).toBe(
    404,
  )
}, 20_000)

/** A new visitor each time, by X-Forwarded-For. */
const behindProxy = { PROXIES_IN_FRONT: 'set_real_ip_from 127.0.0.1; set_real_ip_from 10.0.0.0/8;' }

test('IPv6 addresses of one /64 count as one visitor', async () => {
  const front = await openFront({
    over: { ...behindProxy, API_CONNECTIONS_PER_ADDRESS: '1' },
  })
  const statusFor = async (address: string) => {
    const { status } = await sendRequest(front.https, {
      path: '/api/tickets',
      headers: { 'x-forwarded-for': address },
    })
    return status
  }
  const holdAs = async (address: string) => {
    const first = SLOW_BODY.replace('\r\n\r\n', `\r\nx-forwarded-for: ${address}\r\n\r\n`)
    const socket = await holdOne(front.https, { first, from: '127.0.0.1' })
    await setTimeout(100)
    return () => socket.destroy()
  }
  const cases = [
    {
      held: '2001:db8:1:2::1',
      same: ['2001:db8:1:2::2', '2001:0db8:0001:0002:ffff::', '2001:db8:1:2:0a0a:a0a::1'],
      others: ['2001:db8:1:3::1', '2001:db8:1::2', '2001:db8::1:2:0:1', '192.0.2.1'],
    },
    // With newline bytes, and with zeros elided inside the network part.
    { held: '2001:a0a::1', same: ['2001:a0a:0:0:1::'], others: ['2001:a0a:0:1::1', '2001::a0a:1'] },
    { held: '192.0.2.1', same: ['::ffff:192.0.2.1'], others: ['192.0.2.2', '::ffff:192.0.2.3'] },
    { held: '::ffff:192.0.2.9', same: ['192.0.2.9'], others: ['::1', '::ffff:192.0.2.8'] },
  ]
  for (const { held, same, others } of cases) {
    const release = await holdAs(held)
    for (const address of [held, ...same])
      expect({ held, address, status: await statusFor(address) }).toMatchObject({ status: 429 })
    for (const address of others)
      expect({ held, address, status: await statusFor(address) }).toMatchObject({ status: 200 })
    release()
    await setTimeout(100)
  }
}, 20_000)

test('X-Forwarded-For is trusted from the configured proxy only', async () => {
  const front = await openFront({ over: behindProxy })
  const seen = async (forwarded: string, from?: string) => {
    const headers = { 'x-forwarded-for': forwarded }
    return (await sendRequest(front.https, { path: '/api/x', headers, ...(from ? { from } : {}) }))
      .text
  }
  expect(await seen('192.0.2.7')).toBe('192.0.2.7')
  expect(await seen('198.51.100.1, 192.0.2.7')).toBe('192.0.2.7')
  expect(await seen('192.0.2.7, 10.1.2.3')).toBe('192.0.2.7')
  expect(await seen('192.0.2.7', STRANGER)).toBe(STRANGER)
  const alone = await openFront()
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  expect((await sendRequest(alone.https, { path: '/api/x', headers })).text).toBe('127.0.0.1')
})

test('an address that floods the API is delayed, then rejected, and still gets pages', async () => {
  const front = await openFront({
    over: { API_REQUESTS_PER_SECOND: '1', API_REQUESTS_AT_ONCE: '2', API_REQUESTS_BURST: '3' },
  })
  const asked = { path: '/api/tickets', from: STRANGER }
  const responses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const started = Date.now()
      const { status } = await sendRequest(front.https, asked)
      return { status, hasWaited: Date.now() - started > 500 }
    }),
  )
  const of = (status: number) => responses.filter((response) => response.status === status)
  expect(of(200)).toHaveLength(4)
  expect(of(200).filter(({ hasWaited }) => hasWaited)).toHaveLength(1)
  expect(of(429)).toHaveLength(4)
  expect((await sendRequest(front.https, { path: '/static/x.js', from: STRANGER })).status).toBe(
    404,
  )
  expect((await sendRequest(front.https, { path: '/api/tickets' })).status).toBe(200)
})

test('reads without a token are delayed above their rate; writes and requests with a token are not', async () => {
  const front = await openFront({
    over: { API_ANONYMOUS_PER_SECOND: '1', API_ANONYMOUS_AT_ONCE: '2' },
  })
  const delayed = async (request: Record<string, unknown>) => {
    const requests = Array.from({ length: 4 }, async () => {
      const started = Date.now()
      const { status } = await sendRequest(front.https, { path: '/api/services', ...request })
      expect(status).toBe(200)
      return Date.now() - started
    })
    return (await Promise.all(requests)).filter((ms) => ms > 500).length
  }
  expect(await delayed({ from: '127.0.0.7', body: '{}' })).toBe(0)
  expect(await delayed({ from: '127.0.0.7', headers: { authorization: 'Bearer x' } })).toBe(0)
  expect(await delayed({ from: '127.0.0.7' })).toBe(1)
})

test('sixty users behind one address can sign in within a minute, and password guessing is limited', async () => {
  // Sent without pauses, which would take half a minute.
  const front = await openFront({ over: { SIGN_INS_PER_SECOND: '1000' } })
  const signIn = { path: '/realms/gatehouse/login-actions/authenticate', host: IDENTITY_HOST }
  const statuses: number[] = []
  for (let count = 0; count < 400; count++)
    statuses.push(
      (await sendRequest(front.identity, { ...signIn, body: 'x', from: STRANGER })).status,
    )
  expect(new Set(statuses.slice(0, MONDAY_SIGN_INS))).toEqual(new Set([200]))
  expect(statuses).toContain(429)
  const other = { path: '/realms/gatehouse/protocol/openid-connect/certs', host: IDENTITY_HOST }
  expect((await sendRequest(front.identity, { ...other, from: STRANGER })).status).toBe(200)
}, 20_000)

test('the eleventh registration from one address gets 429; its sign-ins and other addresses’ registrations pass', async () => {
  const front = await openFront()
  const to = (step: string, from: string) =>
    sendRequest(front.identity, {
      path: `/realms/gatehouse/login-actions/${step}?client_id=gatehouse-web`,
      host: IDENTITY_HOST,
      body: 'x',
      from,
    })
  const statuses: number[] = []
  for (let count = 0; count < 10; count++)
    statuses.push((await to('registration', STRANGER)).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const refused = await to('registration', STRANGER)
  expect([refused.status, refused.headers['content-type']]).toEqual([
    429,
    'text/html; charset=utf-8',
  ])
  expect(refused.text).toContain('Try again in a minute')
  expect((await to('authenticate', STRANGER)).status).toBe(200)
  expect((await to('registration', '127.0.0.10')).status).toBe(200)
})

const ACTION = '/realms/gatehouse/login-actions/required-action'
const TOLD = 10

test.each([
  ['a saved profile', '/realms/gatehouse/account/', TOLD],
  ['a saved profile, of another version', '/realms/gatehouse/account/v1alpha1/', TOLD],
  ['a new address', `${ACTION}?session_code=x&execution=UPDATE_EMAIL&tab_id=y`, TOLD],
  ['a new name', `${ACTION}?execution=UPDATE_PROFILE`, TOLD],
  ['an encoded action', `${ACTION}?execution=UPDATE%5FEMAIL`, TOLD],
  [
    'an action followed by another',
    `${ACTION}?execution=UPDATE_EMAIL&execution=UPDATE_PASSWORD`,
    TOLD,
  ],
  ['no action', ACTION, TOLD],
  ['a reset', '/realms/gatehouse/login-actions/reset-credentials?tab_id=y', 6],
])(
  'a request that reveals whether an account exists (%s) gets 429 after at most ten, while sign-ins pass',
  async (_what, path, passing) => {
    const front = await openFront()
    const send = async (to: string) =>
      (
        await sendRequest(front.identity, {
          path: to,
          host: IDENTITY_HOST,
          body: 'x',
          from: STRANGER,
        })
      ).status
    const statuses: number[] = []
    for (let count = 0; count <= passing; count++) statuses.push(await send(path))
    expect(statuses).toEqual([...Array.from({ length: passing }, () => 200), 429])
    const signIn = `${ACTION}?session_code=x&execution=UPDATE_PASSWORD&tab_id=y`
    expect(await send(signIn)).toBe(200)
  },
)
