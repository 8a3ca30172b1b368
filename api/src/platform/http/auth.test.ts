import { createPublicKey } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  CompactSign,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type CryptoKey,
} from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  ADMIN,
  ALICE,
  AUDIENCE,
  ISSUER,
  startApi,
  startKeyServer,
  startTest,
  tokenSettings,
  type KeyServer,
  type Test,
} from '../../../test/kit.ts'
import { buildVerifier, type Verifier } from './auth.ts'
import { HttpError } from '#platform/errors.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

const endings: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of endings.splice(0)) await end()
})

type Parts = {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

/** A valid token except for these claims; undefined omits one. */
async function forge({ header, claims, key }: Parts = {}, keys: KeyServer = api.keys) {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: ISSUER,
    aud: AUDIENCE,
    azp: 'gatehouse-web',
    sub: 'sub-mallory',
    role: 'admin',
    acr: 'mfa',
    auth_time: now,
    iat: now,
    exp: now + 300,
    ...claims,
  }
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys.current().kid, ...header })
    .sign(key ?? keys.current().privateKey)
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** The same token with changed claims under the old signature. */
async function edited(change: { header?: object; claims?: object }) {
  const [header, claims, signature] = (await forge()).split('.')
  return [
    encode({ ...decode(header), ...change.header }),
    encode({ ...decode(claims), ...change.claims }),
    signature,
  ].join('.')
}

const otherKeys = generateKeyPair('RS256', { extractable: true })
const secret = new TextEncoder().encode(
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
)
const withHeader = (header: Record<string, unknown>) => () => forge({ header })
const withClaims = (claims: Record<string, unknown>) => () => forge({ claims })
const unsigned = (alg: string, signature: string) => async () => {
  const [, claims] = (await forge()).split('.')
  return `${encode({ alg, typ: 'at+jwt', kid: api.keys.current().kid })}.${claims}${signature}`
}
const publicPem = () => exportSPKI(api.keys.current().publicKey)
const publicDer = async () =>
  createPublicKey(await publicPem()).export({ type: 'spki', format: 'der' })
const now = () => Math.floor(Date.now() / 1000)

const FORGED: Record<string, () => Promise<string>> = {
  'an ID token': () => forge({ header: { typ: 'JWT' }, claims: { aud: 'gatehouse-web' } }),
  'an ID token that names us as its audience': withHeader({ typ: 'JWT' }),
  'a refresh token': () =>
    forge({
      header: { alg: 'HS512', typ: 'JWT', kid: 'refresh' },
      claims: { aud: ISSUER, typ: 'Refresh' },
      key: secret,
    }),
  'a logout token': withHeader({ typ: 'logout+jwt' }),
  'a role changed after signing': () => edited({ claims: { role: 'admin', sub: 'sub-admin' } }),
  'an expiry changed after signing': () => edited({ claims: { exp: now() + 9_999 } }),
  'an algorithm changed after signing': () => edited({ header: { alg: 'HS256' } }),
  'alg none without a signature': unsigned('none', '.'),
  'alg none with a signature': unsigned('none', '.eHg'),
  'alg none with two parts': unsigned('none', ''),
  'alg None': unsigned('None', '.'),
  'alg NONE': unsigned('NONE', '.'),
  'no alg at all': unsigned('', '.'),
  'HS256 with the public key as the secret': async () =>
    forge({ header: { alg: 'HS256' }, key: new TextEncoder().encode(await publicPem()) }),
  'HS256 with the public key in binary as the secret': async () =>
    forge({ header: { alg: 'HS256' }, key: new Uint8Array(await publicDer()) }),
  'another key under our kid': async () => forge({ key: (await otherKeys).privateKey }),
  'another key under its own kid': async () =>
    forge({ header: { kid: 'other' }, key: (await otherKeys).privateKey }),
  'another key without a kid': async () =>
    forge({ header: { kid: undefined }, key: (await otherKeys).privateKey }),
  'another key embedded in the token': async () =>
    forge({
      header: { kid: 'mine', jwk: await exportJWK((await otherKeys).publicKey) },
      key: (await otherKeys).privateKey,
    }),
  'another key that the token links to': async () =>
    forge({
      header: { kid: 'mine', jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' },
      key: (await otherKeys).privateKey,
    }),
  'a kid that is not a string': withHeader({ kid: { toString: 'x' } }),
  'an unknown critical extension': () => edited({ header: { crit: ['b64'], b64: false } }),
  'no typ': withHeader({ typ: undefined }),
  'another typ': withHeader({ typ: 'dpop+jwt' }),
  'another audience': withClaims({ aud: 'other-api' }),
  'other audiences': withClaims({ aud: ['account', 'other-api'] }),
  'an audience that begins like ours': withClaims({ aud: `${AUDIENCE}-2` }),
  'no audience': withClaims({ aud: undefined }),
  'another issuer': withClaims({ iss: 'https://idp.example.test/realms/master' }),
  'an issuer that ends with a slash': withClaims({ iss: `${ISSUER}/` }),
  'a list of issuers': withClaims({ iss: [ISSUER] }),
  'no issuer': withClaims({ iss: undefined }),
  'another client': withClaims({ azp: 'other-web' }),
  'a list of clients': withClaims({ azp: ['gatehouse-web'] }),
  'no client': withClaims({ azp: undefined }),
  'no sub': withClaims({ sub: undefined }),
  'an empty sub': withClaims({ sub: '' }),
  'a number as sub': withClaims({ sub: 7 }),
  'null as sub': withClaims({ sub: null }),
  'no exp': withClaims({ exp: undefined }),
  'a string as exp': withClaims({ exp: '9999999999' }),
  'no iat': withClaims({ iat: undefined }),
  'a string as iat': withClaims({ iat: 'now' }),
  'an expiry a minute ago': withClaims({ iat: now() - 360, exp: now() - 60 }),
  'a beginning a minute from now': withClaims({ nbf: now() + 60 }),
  'a token bound to a key, without its proof': withClaims({ cnf: { jkt: 'abc' } }),
  'a token bound to a certificate': withClaims({ cnf: { 'x5t#S256': 'abc' } }),
}

test('the token the forgeries are based on is valid', async () => {
  expect((await request(`Bearer ${await forge()}`)).status).toBe(200)
})

test.each(Object.keys(FORGED))(
  '[PERM-01] a forged token gets 401 on every path: %s',
  async (name) => {
    const token = await FORGED[name]?.()
    for (const path of ['/api/tickets', '/api/services', '/api/models']) {
      const { status, json, headers } = await request(`Bearer ${token}`, path)
      expect([path, status, json.code]).toEqual([path, 401, 'invalid-token'])
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  },
)

test.each(['RS384', 'RS512', 'PS256'])(
  'a token signed by our own key gets 401 if its algorithm %s isn’t configured',
  async (alg) => {
    const keys = await ownKeys()
    keys.state.saysAlgorithm = false
    const verifier = verifierOf(keys)
    expect(await outcome(verifier, await forge({}, keys))).toMatchObject({ sub: 'sub-mallory' })
    const { alg: _alg, ...jwk } = await exportJWK(keys.current().privateKey)
    const key = await importJWK(jwk, alg)
    expect(await outcome(verifier, await forge({ header: { alg }, key }, keys))).toBe(401)
  },
)

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Bearer null',
  'Bearer .',
  'Bearer ..',
  'Bearer a.b.c',
  'Bearer a.b.c.d.e',
  'Basic YWRtaW46YWRtaW4=',
  'DPoP TOKEN',
  'Token TOKEN',
  'TOKEN',
  'Bearer  TOKEN',
  'Bearer TOKEN TOKEN',
  'Bearer TOKEN, Bearer TOKEN',
  'Bearer "TOKEN"',
  `Bearer ${'a'.repeat(7_000)}`,
])('the Authorization header «%s» gets 401', async (header) => {
  const { status, json } = await request(header.replaceAll('TOKEN', await forge()))
  expect([status, json.code]).toEqual([401, 'invalid-token'])
})

test('a visitor without a token is anonymous, and the Bearer scheme is case-insensitive', async () => {
  expect((await api.call('GET', '/api/services')).status).toBe(200)
  expect((await api.call('GET', '/api/tickets')).json.code).toBe('sign-in-required')
  expect((await request(`bearer ${await forge()}`)).status).toBe(200)
})

test('clock skew of less than 5 s is tolerated in either direction', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const verifier = verifierOf(api.keys)
  const check = async (claims: Record<string, unknown>) => {
    const found = await outcome(verifier, await forge({ claims }))
    return typeof found === 'object' ? 'accepted' : found
  }
  expect(await check({ exp: now() - 4 })).toBe('accepted')
  expect(await check({ exp: now() - 5 })).toBe(401)
  expect(await check({ nbf: now() + 5 })).toBe('accepted')
  expect(await check({ nbf: now() + 6 })).toBe(401)
})

test('a clock that steps back causes no duplicate ID and loses no sign-in', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const verifier = verifierOf(api.keys)
  const token = await forge()
  expect(await outcome(verifier, token)).toMatchObject({ sub: 'sub-mallory' })
  const ids = Array.from({ length: 1_000 }, () => uuidv7())
  vi.setSystemTime(Date.now() - 2 * MINUTE_MS)
  ids.push(...Array.from({ length: 1_000 }, () => uuidv7()))
  expect(new Set(ids).size).toBe(2_000)
  expect(await outcome(verifier, token)).toMatchObject({ sub: 'sub-mallory' })
})

const ZITADEL = 'urn:zitadel:iam:org:project:roles'
test.each<[path: string, claims: string, role: 'admin' | 'user']>([
  ['role', '{"role":"admin"}', 'admin'],
  ['role', '{"role":"user"}', 'user'],
  ['role', '{}', 'user'],
  ['role', '{"role":"Admin"}', 'user'],
  ['role', '{"role":" admin"}', 'user'],
  ['role', '{"role":"admin,user"}', 'user'],
  ['role', '{"role":true}', 'user'],
  ['role', '{"role":null}', 'user'],
  ['role', '{"role":["user","admin"]}', 'admin'],
  ['role', '{"role":["user"]}', 'user'],
  ['role', '{"role":[]}', 'user'],
  ['role', '{"role":[["admin"]]}', 'user'],
  ['role', '{"role":[{"toString":"admin"}]}', 'user'],
  ['role', '{"role":{"admin":{"1":"example.test"}}}', 'admin'],
  ['role', '{"role":{"user":{"admin":"x"}}}', 'user'],
  ['role', '{"roles":["admin"]}', 'user'],
  ['realm_access roles', '{"realm_access":{"roles":["offline","admin"]}}', 'admin'],
  ['realm_access roles', '{"realm_access":{"roles":["offline"]}}', 'user'],
  ['realm_access roles', '{"realm_access":"roles","role":"admin"}', 'user'],
  ['realm_access roles', '{"realm_access":null,"role":"admin"}', 'user'],
  ['realm_access roles', '{"realm_access roles":["admin"]}', 'user'],
  ['https://gatehouse/roles', '{"https://gatehouse/roles":["admin"]}', 'admin'],
  [ZITADEL, `{"${ZITADEL}":{"admin":{}}}`, 'admin'],
  ['role', '{"__proto__":{"role":"admin"}}', 'user'],
  ['role', '{"constructor":{"prototype":{"role":"admin"}}}', 'user'],
  ['realm_access roles', '{"realm_access":{"__proto__":{"roles":["admin"]}}}', 'user'],
  ['__proto__ admin', '{}', 'user'],
  ['constructor name', '{}', 'user'],
])(
  '[PERM-01] with the role path «%s», the claims %s give the role %s',
  async (path, claims, role) => {
    const verifier = verifierOf(api.keys, {
      OIDC_ROLE_PATH: path,
      // The last two are values of inherited properties.
      OIDC_ADMIN_VALUES: 'admin, Object, toString',
    })
    // As text: an object literal treats __proto__ differently from JSON.
    const [header, payload] = (await forge({ claims: { role: undefined } })).split('.')
    const fullHeader = { ...decode(header) }
    const text = `${JSON.stringify(decode(payload)).slice(0, -1)},${claims.slice(1)}`.replace(
      ',}',
      '}',
    )
    const token = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader(fullHeader)
      .sign(api.keys.current().privateKey)
    expect(await outcome(verifier, token)).toMatchObject({ sub: 'sub-mallory', role })
  },
)

test('an empty role path is rejected at start-up', () => {
  expect(() => tokenSettings('http://x', { OIDC_ROLE_PATH: '' })).toThrow('OIDC_ROLE_PATH')
})

test('a visitor’s name is the claim `name`, otherwise `preferred_username`, otherwise null', async () => {
  const verifier = verifierOf(api.keys)
  const nameOf = async (claims: Record<string, unknown>) =>
    outcome(verifier, await forge({ claims }))
  expect(await nameOf({ name: 'Ann', preferred_username: 'ann' })).toMatchObject({ name: 'Ann' })
  expect(await nameOf({ name: '', preferred_username: 'ann' })).toMatchObject({ name: 'ann' })
  expect(await nameOf({ name: { first: 'Ann' } })).toMatchObject({ name: null })
})

test('after a key rotation new tokens are accepted after the cooldown, and old ones while their key exists', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  const old = await forge({}, keys)
  await keys.rotate({ keepsOld: true })
  const fresh = await forge({}, keys)
  expect(await outcome(verifier, fresh)).toBe(401)
  vi.setSystemTime(Date.now() + 5_001)
  expect(await outcome(verifier, fresh)).toMatchObject({ sub: 'sub-mallory' })
  expect(await outcome(verifier, old)).toMatchObject({ sub: 'sub-mallory' })
})

test('tokens of a removed key are rejected, except cached ones until they expire', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  const [verified, unseen] = [
    await forge({}, keys),
    await forge({ claims: { sub: 'other' } }, keys),
  ]
  await outcome(verifier, verified)
  await keys.rotate()
  vi.setSystemTime(Date.now() + 6_000)
  expect(await outcome(verifier, await forge({}, keys))).toMatchObject({ sub: 'sub-mallory' })
  expect(await outcome(verifier, unseen)).toBe(401)
  expect(await outcome(verifier, verified)).toMatchObject({ sub: 'sub-mallory' })
  vi.setSystemTime(Date.now() + 5 * MINUTE_MS)
  expect(await outcome(verifier, verified)).toBe(401)
})

test('unknown key IDs trigger one key fetch per cooldown', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  const before = keys.state.requests
  vi.setSystemTime(Date.now() + 6_000)
  for (let kid = 0; kid < 20; kid++)
    expect(await outcome(verifier, await forge({ header: { kid: `made-up-${kid}` } }, keys))).toBe(
      401,
    )
  expect(keys.state.requests - before).toBe(1)
})

test('a cached token is rejected after its expiry', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const verifier = verifierOf(api.keys)
  const token = await forge({ claims: { exp: now() + 60 } })
  expect(await outcome(verifier, token)).toMatchObject({ role: 'admin' })
  vi.setSystemTime(Date.now() + 59_000)
  expect(await outcome(verifier, token)).toMatchObject({ role: 'admin' })
  vi.setSystemTime(Date.now() + 6_000)
  expect(await outcome(verifier, token)).toBe(401)
})

test.each(['isDown', 'isGarbled'] as const)(
  'while the key server is down (%s), cached keys work and an unknown key gets 503; once it is back, 401',
  async (fault) => {
    const keys = await ownKeys()
    const verifier = await warm(keys)
    keys.state[fault] = true
    for (let passed = 0; passed < 23; passed++) {
      const requests = keys.state.requests
      vi.advanceTimersByTime(HOUR_MS)
      await until(() => keys.state.requests > requests)
      expect(await outcome(verifier, await forge({}, keys))).toMatchObject({ sub: 'sub-mallory' })
    }
    expect(await outcome(verifier, await forge({ header: { kid: 'unknown' } }, keys))).toBe(503)
    keys.state[fault] = false
    expect(await outcome(verifier, await forge({ header: { kid: 'unknown' } }, keys))).toBe(401)
  },
)

test('a token with an unknown key gets 503 after 3 s if the key server is unresponsive', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  vi.setSystemTime(Date.now() + 6_000)
  keys.state.isFrozen = true
  const started = performance.now()
  const [first, known] = await Promise.all([
    outcome(verifier, await forge({ header: { kid: 'unknown' } }, keys)),
    outcome(verifier, await forge({}, keys)).then((found) => [found, performance.now() - started]),
  ])
  expect(first).toBe(503)
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(known[0]).toMatchObject({ sub: 'sub-mallory' })
  expect(known[1]).toBeLessThan(1_000)
})

test.each(['isDown', 'isGarbled', 'isFrozen'] as const)(
  'a replica started while the key server is down (%s) returns 503 for tokens until it is back',
  async (fault) => {
    const keys = await ownKeys()
    keys.state[fault] = true
    const second = await startApi({ databaseUrl: api.database.url('gatehouse_app'), keys })
    endings.push(second.stop)
    const get = (headers: Record<string, string> = {}) =>
      fetch(`${second.base}/api/services`, { headers })
    const authorization = `Bearer ${await forge({}, keys)}`
    expect((await get()).status).toBe(200)
    const rejected = await get({ authorization })
    expect(rejected.status).toBe(503)
    expect(rejected.headers.get('retry-after')).toBe('2')
    expect(rejected.headers.get('www-authenticate')).toBeNull()
    expect(await rejected.json()).toMatchObject({ code: 'keys-unavailable' })
    keys.state[fault] = false
    expect((await get({ authorization })).status).toBe(200)
  },
)

test('keys unconfirmed for 24 hours are no longer trusted, until the key server is back', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  keys.state.isDown = true
  const confirmedAt = Date.now()
  vi.setSystemTime(confirmedAt + 24 * HOUR_MS)
  const token = await forge({}, keys)
  expect(await outcome(verifier, token)).toMatchObject({ sub: 'sub-mallory' })
  vi.setSystemTime(confirmedAt + 24 * HOUR_MS + 1_000)
  expect(await outcome(verifier, token)).toBe(503)
  keys.state.isDown = false
  const requests = keys.state.requests
  vi.advanceTimersByTime(10 * MINUTE_MS)
  await until(() => keys.state.requests > requests)
  await vi.waitFor(async () =>
    expect(await outcome(verifier, await forge({}, keys))).toMatchObject({ sub: 'sub-mallory' }),
  )
})

test('keys are refetched every 10 minutes, and a withdrawn key is rejected', async () => {
  const keys = await ownKeys()
  const verifier = await warm(keys)
  const old = keys.current()
  await keys.rotate()
  const requests = keys.state.requests
  vi.advanceTimersByTime(10 * MINUTE_MS)
  await until(() => keys.state.requests > requests)
  // A new token each time, because verified ones are cached.
  await vi.waitFor(async () => {
    const parts = { header: { kid: old.kid }, key: old.privateKey, claims: { jti: uuidv7() } }
    expect(await outcome(verifier, await forge(parts, keys))).toBe(401)
  })
})

test('a key server that starts after us is retried after 15 s, and then counts as up', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const keys = await ownKeys()
  keys.state.isDown = true
  const verifier = verifierOf(keys)
  await until(() => keys.state.requests > 0)
  expect(verifier.keys()).toEqual({ isUp: false, confirmedAt: 0 })
  keys.state.isDown = false
  vi.advanceTimersByTime(15_000)
  await until(() => verifier.keys().isUp)
  expect(verifier.keys().confirmedAt).toBe(Date.now())
})

test('tokens of two users are never confused', async () => {
  const body = (visitor: typeof ADMIN) => ({
    body: { fullName: visitor.sub, email: 'x@example.test', subject: 'S', message: 'M' },
  })
  const created = await api.call('POST', '/api/tickets', ALICE, body(ALICE))
  expect(created.json.clientId).toBe(ALICE.sub)
  expect(
    (await api.call('PUT', `/api/tickets/${created.json.id}`, ALICE, body(ALICE))).status,
  ).toBe(403)
  expect(
    (await api.call('PUT', `/api/tickets/${created.json.id}`, ADMIN, body(ADMIN))).status,
  ).toBe(200)
})

async function request(authorization: string, path = '/api/tickets') {
  const response = await fetch(`${api.base}${path}`, { headers: { authorization } })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

async function outcome(verifier: Verifier, token: string) {
  try {
    return await verifier.verify(`Bearer ${token}`)
  } catch (error) {
    if (error instanceof HttpError) return error.status
    throw error
  }
}

function verifierOf(keys: KeyServer, changes: NodeJS.ProcessEnv = {}) {
  const verifier = buildVerifier(tokenSettings(keys.jwksUri, changes))
  endings.push(verifier.close)
  return verifier
}

async function ownKeys() {
  const keys = await startKeyServer()
  endings.push(keys.stop)
  return keys
}

/** A verifier with loaded keys, on a fake clock. */
async function warm(keys: KeyServer) {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const verifier = verifierOf(keys)
  expect(await outcome(verifier, await forge({}, keys))).toMatchObject({ sub: 'sub-mallory' })
  return verifier
}

async function until(isTrue: () => boolean) {
  for (let tries = 0; !isTrue() && tries < 400; tries++) await setTimeout(5)
  expect(isTrue()).toBe(true)
}
