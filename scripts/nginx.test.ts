import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './postgres.ts'
import { writeNginxFiles } from './stack-nginx.ts'
import { isTaken } from './stack-process.ts'

const IDENTITY_HOST = 'id.gatehouse.test'
/** More than nginx keeps in memory: the rest goes to a file. */
const LONG_BODY_BYTES = 100_000
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

type Front = { directory: string; https: number; http: number; identity: number }
type Made = { upstream?: number; change?: (text: string) => string }

/** The servers of ops/nginx inside an nginx that logs as much as it can, as any distribution's might. */
async function startFront({ upstream, change = (text) => text }: Made = {}): Promise<Front> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'logs'))
  // A file where a directory should be: a body that can not be put aside is a critical error to nginx.
  writeFileSync(join(directory, 'body'), '')
  const [https, http, identity, nobody] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const write = (names: string[], values: Record<string, string>) =>
    writeNginxFiles({ names, directory, values: { TLS: '', ...values }, change })
  write(['gatehouse.conf'], {
    LISTEN: `127.0.0.1:${https}`,
    API_SERVERS: `server 127.0.0.1:${upstream ?? nobody};`,
    IDENTITY_PROVIDER: 'https://id.gatehouse.test',
    ACCOUNT_PAGE: 'https://id.gatehouse.test/realms/gatehouse/account/',
    BROTLI: '',
    WEB_ROOT: directory,
    PAGES_ROOT: directory,
    CONFIG_ROOT: directory,
    MODEL_PATHS: 'tickets',
  })
  write(['https.conf'], {
    LISTEN_CLEAR: `127.0.0.1:${http}`,
    ACME_ROOT: directory,
    SITE_HOST: 'gatehouse.test',
  })
  write(['identity.conf'], {
    LISTEN: `127.0.0.1:${identity}`,
    IDENTITY_HOST,
    IDENTITY_ADDRESS: `127.0.0.1:${upstream ?? nobody}`,
  })
  const around = `${userInfo().uid === 0 ? 'user www-data;' : ''}
    daemon off; worker_processes 1; pid nginx.pid;
    error_log logs/error.log info;
    events { worker_connections 64; }
    http {
      access_log logs/access.log;
      client_body_temp_path body;
      include gatehouse.conf; include https.conf; include identity.conf;
    }`
  writeFileSync(join(directory, 'nginx.conf'), around)
  const nginx = spawn('/usr/sbin/nginx', [
    '-e',
    join(directory, 'logs/error.log'),
    '-p',
    directory,
    '-c',
    join(directory, 'nginx.conf'),
  ])
  let said = ''
  nginx.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
  closers.push(async () => {
    nginx.kill()
    if (nginx.exitCode === null) await once(nginx, 'exit')
    rmSync(directory, { recursive: true })
  })
  while (!(await isTaken(identity))) {
    if (nginx.exitCode !== null) throw new Error(said)
    await setTimeout(50)
  }
  return { directory, https, http, identity }
}

type Asked = { path: string; host?: string; headers?: Record<string, string>; body?: string }

/** The path as it is written: a browser, and fetch, would tidy it up first. */
async function ask(port: number, { path, host = 'gatehouse.test', headers, body }: Asked) {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, ...headers },
    agent: false,
  })
  const [response] = await once(asked.end(body), 'response')
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += String(part)
  return { status: Number(response.statusCode), text }
}

describe('what nginx writes down', () => {
  /** Every way a request can end: served, redirected, refused, with nobody behind it, with no room for its body. */
  async function plant(front: Front, mark: string) {
    const headers = { referer: `https://elsewhere.test/?q=${mark}` }
    const query = `?q=${mark}`
    const body = mark.padEnd(LONG_BODY_BYTES, '.')
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

  const logsWith = ({ directory }: Front, mark: string) =>
    readdirSync(join(directory, 'logs')).filter((name) =>
      readFileSync(join(directory, 'logs', name), 'utf8').includes(mark),
    )

  test('no query and no referrer is in any log, though the nginx around the site logs both', async () => {
    const front = await startFront()
    const mark = randomBytes(8).toString('hex')
    await plant(front, mark)
    expect(logsWith(front, mark)).toEqual([])
  })

  test('with the access log switched on in one server they are found again', async () => {
    const front = await startFront({
      change: (text) =>
        text.replace('access_log off;', 'access_log logs/switched-on.log combined;'),
    })
    const mark = randomBytes(8).toString('hex')
    await plant(front, mark)
    expect(logsWith(front, mark)).toEqual(['switched-on.log'])
  })
})

/** Says which path it was asked for. */
async function echo() {
  const server = createServer((asked, answer) => answer.end(asked.url)).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('the API is asked only for paths that are its own as they are sent', async () => {
  const front = await startFront({ upstream: await echo() })
  const own = [
    '/api',
    '/api?a=b',
    '/api/tickets',
    '/api/tickets/1?x=/metrics',
    '/healthz',
    '/readyz',
  ]
  for (const path of own)
    expect(await ask(front.https, { path })).toEqual({ status: 200, text: path })
  const others = ['/metrics', '//metrics', '/metrics;', '/metrics%3f', '/x', '/%61pi']
  const disguised = others.flatMap((other) => [
    other,
    `${other}/../api/tickets`,
    `${other}/../api/tickets/1`,
    `${other}/%2e%2e/readyz`,
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
  ])('%s arrives as it was sent', async (path) => {
    const [sent] = path.split('#')
    expect(await visit(sent ?? '')).toEqual({ status: 200, text: sent })
  })

  const OUTSIDE = ['admin/', 'admin/master/console/', 'realms/master/', 'metrics', '']
  const UP = ['..', '%2e%2e', '%2E%2E', '.%2e', '..;', '..;x', '%252e%252e']
  const SLASH = ['/', '%2f', '%2F', '\\', '%5c', '%5C', '//', '/./', '%252f']
  const disguised = [
    ...OUTSIDE.map((path) => `/${path}`),
    // Out of the realm that is open, into what is closed.
    ...UP.flatMap((up) =>
      SLASH.flatMap((slash) =>
        OUTSIDE.map((path) => `/realms/gatehouse/${up}${slash}${up}${slash}${path}`),
      ),
    ),
    // Closed to Keycloak, and open to whoever tidies the path up first.
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

  test(`${disguised.length} ways to write a path that is closed are refused`, async () => {
    const passed: string[] = []
    for (const path of new Set(disguised)) if ((await visit(path)).status === 200) passed.push(path)
    expect(passed).toEqual([])
  })
})
