import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  sendRequest as askFront,
  IDENTITY_HOST,
  startFront as openFront,
  type Front,
} from './nginx-test-server.ts'

/** More than nginx buffers in memory. */
const LONG_BODY_BYTES = 100_000
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function startFront(options: Parameters<typeof openFront>[0] = {}) {
  const front = await openFront(options)
  closers.push(front.stop)
  return front
}

const ask = async (...asked: Parameters<typeof askFront>) => {
  const { status, text } = await askFront(...asked)
  return { status, text }
}

describe('nginx logs', () => {
  /** Every outcome of a request: served, redirected, rejected, no upstream, no space for its body. */
  async function plant(front: Front, canary: string) {
    const headers = { referer: `https://elsewhere.test/?q=${canary}` }
    const query = `?q=${canary}`
    const body = canary.padEnd(LONG_BODY_BYTES, '.')
    for (const path of ['/', '/nowhere', '/api/tickets', '/config.json', '/static/none.js'])
      await ask(front.https, { path: path + query, headers })
    await ask(front.https, { path: `/api/tickets${query}`, headers, body })
    await ask(front.http, { path: `/${query}`, headers })
    for (const path of ['/realms/gatehouse/account', '/admin/'])
      await ask(front.identity, { path: path + query, host: IDENTITY_HOST, headers })
    await ask(front.identity, {
      path: `/realms/gatehouse/x${query}`,
      host: IDENTITY_HOST,
      headers,
      body,
    })
  }

  const logsWith = ({ directory }: Front, canary: string) =>
    readdirSync(join(directory, 'logs')).filter((name) =>
      readFileSync(join(directory, 'logs', name), 'utf8').includes(canary),
    )

  test('no nginx log has a query or referrer, even if the surrounding nginx logs both', async () => {
    const front = await startFront()
    const canary = randomBytes(8).toString('hex')
    await plant(front, canary)
    expect(logsWith(front, canary)).toEqual([])
  })

  test('with one server’s access log on, the log check finds query and referrer', async () => {
    const front = await startFront({
      change: (text) =>
        text.replace('access_log off;', 'access_log logs/switched-on.log combined;'),
    })
    const canary = randomBytes(8).toString('hex')
    await plant(front, canary)
    expect(logsWith(front, canary)).toEqual(['switched-on.log'])
  })
})

async function echo() {
  const server = createServer((asked, response) => response.end(asked.url)).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('/readyz is served on the API’s port, not through the site', async () => {
  const front = await startFront({ upstream: await echo() })
  for (const path of ['/readyz', '/readyz?x=1', '/readyz/', '/x/../readyz', '/%72eadyz'])
    expect((await ask(front.https, { path })).status).toBe(404)
})

test('only paths that are the API’s before normalisation reach the API', async () => {
  const front = await startFront({ upstream: await echo() })
  const own = ['/api', '/api?a=b', '/api/tickets', '/api/tickets/1?x=/metrics', '/healthz']
  for (const path of own)
    expect(await ask(front.https, { path })).toEqual({ status: 200, text: path })
  const others = ['/metrics', '//metrics', '/metrics;', '/metrics%3f', '/x', '/%61pi']
  const disguised = others.flatMap((other) => [
    other,
    `${other}/../api/tickets`,
    `${other}/../api/tickets/1`,
    `${other}/%2e%2e/healthz`,
    `${other}%2f..%2fapi%2ftickets`,
  ])
  for (const path of [...disguised, '//api/tickets', '/./api/tickets'])
    expect(await ask(front.https, { path })).not.toEqual({ status: 200, text: path })
})

describe("Keycloak's paths", () => {
  let front: Front
  beforeAll(async () => {
    front = await startFront({ upstream: await echo() })
  })
  const visit = (path: string) => ask(front.identity, { path, host: IDENTITY_HOST })

  test.each([
    '/realms/gatehouse/.well-known/openid-configuration',
    '/realms/gatehouse/protocol/openid-connect/auth?redirect_uri=https%3A%2F%2Fgatehouse.test%2Fsignin-callback%3FreturnUrl%3D%252Fdesk%2F..%5C&state=a;b',
    '/realms/gatehouse/login-actions/authenticate?session_code=x&execution=1',
    '/realms/gatehouse/account/',
    '/realms/gatehouse/account/#/security',
    '/resources/abc12/login/keycloak.v2/css/styles.css',
    '/realms/gatehouse/broker/our%20idp/endpoint',
  ])('%s is passed to Keycloak verbatim', async (path) => {
    const [sent] = path.split('#')
    expect(await visit(sent ?? '')).toEqual({ status: 200, text: sent })
  })

  const OUTSIDE = ['admin/', 'admin/master/console/', 'realms/master/', 'metrics', '']
  const UP = ['..', '%2e%2e', '%2E%2E', '.%2e', '..;', '..;x', '%252e%252e']
  const SLASH = ['/', '%2f', '%2F', '\\', '%5c', '%5C', '//', '/./', '%252f']
  const disguised = [
    ...OUTSIDE.map((path) => `/${path}`),
    // From the open realm into closed paths.
    ...UP.flatMap((up) =>
      SLASH.flatMap((slash) =>
        OUTSIDE.map((path) => `/realms/gatehouse/${up}${slash}${up}${slash}${path}`),
      ),
    ),
    // Closed for Keycloak, but open after normalisation.
    ...UP.flatMap((up) =>
      SLASH.flatMap((slash) => [
        `/realms/master${slash}${up}${slash}gatehouse${slash}protocol`,
        `/admin/master${slash}${up}${slash}${up}${slash}realms/gatehouse/x`,
        `/admin${slash}${up}${slash}resources/x`,
      ]),
    ),
    '//realms/gatehouse/x',
    '/realms//gatehouse/x',
    '/realms/gatehouse//x',
    '/realms/gatehouse;/x',
    '/realms/gatehouse;a=b/x',
    '/realms/master;/../gatehouse/x',
    '/%72ealms/master/',
    '/realms/%67atehouse/x',
    '/realms/gatehouse%00/x',
    '/realms/gatehouse/%00',
    '/resources/..',
    '/resources/.',
    '/resources/%2e%2e/admin/',
    '/REALMS/gatehouse/x',
    '/realms/gatehousex/',
    '/realms/gatehouse',
  ]

  test(`${disguised.length} spellings of closed Keycloak paths are rejected`, async () => {
    const passed: string[] = []
    for (const path of new Set(disguised)) if ((await visit(path)).status === 200) passed.push(path)
    expect(passed).toEqual([])
  })
})
