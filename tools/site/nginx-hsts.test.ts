import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCertificate } from '../../ops/drills/kit/certificate.ts'
import { CHECKOUT } from '../stack/settings.ts'
import { IDENTITY_HOST, sendRequest, startFront, type Front } from './nginx-test-server.ts'

const NAME = 'strict-transport-security'
const OURS = 'max-age=300'
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-hsts-'))
const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** In front of an API and a Keycloak that send headers of their own. */
async function frontWith(hsts: string) {
  const upstream = createServer((_request, response) =>
    response.setHeader(NAME, 'max-age=1; includeSubDomains').setHeader('x-upstream', 'yes').end(),
  ).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  closers.push(() => upstream.close())
  const { port } = upstream.address() as AddressInfo
  const front = await startFront({ upstream: port, over: { HSTS: hsts } })
  closers.push(front.stop)
  return front
}

const WITH_KEY = { headers: { 'idempotency-key': 'x' }, body: '{}' }
const PROXIED: [string, (front: Front) => ReturnType<typeof sendRequest>][] = [
  ['a list', ({ https }) => sendRequest(https, { path: '/api/tickets' })],
  ['a record', ({ https }) => sendRequest(https, { path: '/api/tickets/1' })],
  ['a creation', ({ https }) => sendRequest(https, { path: '/api/tickets', ...WITH_KEY })],
  ['/healthz', ({ https }) => sendRequest(https, { path: '/healthz' })],
  [
    'Keycloak',
    ({ identity }) =>
      sendRequest(identity, { path: '/realms/gatehouse/account/', host: IDENTITY_HOST }),
  ],
]

describe('HSTS', () => {
  let some: Front
  let none: Front
  beforeAll(async () => {
    some = await frontWith(OURS)
    none = await frontWith('')
  })

  test.each(PROXIED)(
    'nginx replaces the HSTS header of %s by its own, or by none',
    async (_what, ask) => {
      const [{ headers }, { headers: without }] = [await ask(some), await ask(none)]
      for (const one of [headers, without]) expect(one['x-upstream']).toBe('yes')
      expect(headers[NAME]).toBe(OURS)
      expect(without).not.toHaveProperty(NAME)
    },
  )

  test('nginx sends its HSTS header, or none, with files and errors', async () => {
    for (const path of ['/', '/nowhere', '/readyz', '/static/none.js']) {
      expect((await sendRequest(some.https, { path })).headers[NAME], path).toBe(OURS)
      expect((await sendRequest(none.https, { path })).headers, path).not.toHaveProperty(NAME)
    }
  })
})

const FUNCTIONS = join(CHECKOUT, 'ops/nginx/functions.sh')
const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')
const runWith = (lines: string, env: Record<string, string>) =>
  execFileSync('sh', ['-euc', `. ${FUNCTIONS}\n${lines}\nprintf %s "$HSTS"`], {
    encoding: 'utf8',
    // With another stdin, bash may run its start-up files.
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  })

test('nginx sends HSTS_SECONDS, a year by default, unless it is 0 or the certificate is self-signed', () => {
  const own = createCertificate(directory, 'gatehouse.test')
  const issued = issueCertificate(own)
  const hstsOf = (certificate: string, env: Record<string, string> = {}) =>
    runWith(`HSTS="$(hsts_of ${certificate})"`, env)
  expect(hstsOf(issued)).toBe('max-age=31536000')
  expect(hstsOf(issued, { HSTS_SECONDS: '' })).toBe('max-age=31536000')
  expect(hstsOf(issued, { HSTS_SECONDS: '300' })).toBe('max-age=300')
  expect(hstsOf(issued, { HSTS_SECONDS: '0' })).toBe('')
  expect(hstsOf(own.file)).toBe('')
})

test.each(['ops/nginx/start.sh', 'ops/server/nginx.sh'])('%s asks hsts_of', (script) => {
  expect(read(script)).toMatch(/HSTS="\$\(hsts_of "\$\w+"\)"/)
})

/** Signed by another certificate. */
function issueCertificate({ file, key }: ReturnType<typeof createCertificate>) {
  const [request, certificate] = [join(directory, 'request'), join(directory, 'issued.pem')]
  const ownKey = join(directory, 'issued-key.pem')
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=x',
    '-keyout',
    ownKey,
    '-out',
    request,
  )
  openssl('x509', '-req', '-in', request, '-CA', file, '-CAkey', key, '-out', certificate)
  // With its chain, as authorities deliver it.
  writeFileSync(certificate, readFileSync(certificate, 'utf8') + readFileSync(file, 'utf8'))
  return certificate
}
