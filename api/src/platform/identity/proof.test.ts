import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startKeyServer, tokenSettings, type KeyServer } from '../../../test/kit.ts'
import { buildVerifier } from '#platform/http/auth.ts'
import { firstStepIn } from './proof.ts'

let keys: KeyServer
const endings: (() => void)[] = []
beforeAll(async () => {
  keys = await startKeyServer()
})
afterAll(async () => {
  for (const end of endings) end()
  await keys.stop()
})

const now = () => Math.floor(Date.now() / 1000)

async function verified(claims: Record<string, unknown>, settings: NodeJS.ProcessEnv = {}) {
  const verifier = buildVerifier(tokenSettings(keys.jwksUri, settings))
  endings.push(() => verifier.close())
  const token = await keys.sign({ sub: 'sub-1', role: 'admin', ...claims })
  const visitor = await verifier.verify(`Bearer ${token}`)
  const { freshUntil = 0, claimed } = visitor?.proof ?? {}
  return {
    role: visitor?.role,
    owner: visitor?.owner,
    isFresh: freshUntil >= Date.now(),
    claimed,
  }
}

test.each<[acr: unknown, role: string, isFresh: boolean]>([
  ['mfa', 'admin', false],
  ['fresh', 'admin', true],
  ['session', 'user', false],
  ['0', 'user', false],
  [undefined, 'user', false],
  ['', 'user', false],
  ['MFA', 'user', false],
  ['mfa ', 'user', false],
  ['gold', 'user', false],
  [['mfa'], 'user', false],
  [{ mfa: true }, 'user', false],
  [2, 'user', false],
  [true, 'user', false],
])('an admin with acr %j gets the role %s; fresh: %s', async (acr, role, isFresh) => {
  expect(await verified({ acr, auth_time: now() })).toEqual({
    role,
    owner: role === 'admin',
    isFresh,
    claimed: 'owner',
  })
})

test('the claim amr does not count as a second factor', async () => {
  expect(await verified({ acr: 'session', amr: ['pwd', 'otp'] })).toMatchObject({ role: 'user' })
})

test.each<[what: string, authTime: unknown, isFresh: boolean]>([
  ['599 s ago', () => now() - 599, true],
  ['601 s ago, by a refreshed token', () => now() - 601, false],
  ['a minute from now', () => now() + 60, false],
  ['as a string', () => String(now()), false],
  ['missing', () => undefined, false],
  ['NaN', () => 'NaN', false],
])('a token with auth_time %s has isFresh %s', async (_what, authTime, isFresh) => {
  const auth_time = (authTime as () => unknown)()
  expect((await verified({ acr: 'fresh', auth_time })).isFresh).toBe(isFresh)
  expect((await verified({ auth_time }, { ADMIN_MFA: 'off' })).isFresh).toBe(isFresh)
})

test('a cached token stops being fresh after ten minutes', async () => {
  const verifier = buildVerifier(tokenSettings(keys.jwksUri))
  endings.push(() => verifier.close())
  const token = await keys.sign({ sub: 's', role: 'admin', acr: 'fresh', auth_time: now() - 500 })
  const first = await verifier.verify(`Bearer ${token}`)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 101_000 })
  const again = await verifier.verify(`Bearer ${token}`)
  expect(again).toBe(first)
  expect((again?.proof.freshUntil ?? 0) < Date.now()).toBe(true)
  vi.useRealTimers()
})

test('with ADMIN_MFA=off the role counts regardless of acr, and freshness requires a sign-in within ten minutes', async () => {
  const off = { ADMIN_MFA: 'off' }
  expect(await verified({ auth_time: undefined }, off)).toMatchObject({
    role: 'admin',
    isFresh: false,
  })
  expect(await verified({ auth_time: now() }, off)).toMatchObject({ role: 'admin', isFresh: true })
  expect(() => tokenSettings('x', { ADMIN_MFA: 'no' })).toThrow('ADMIN_MFA must be on or off')
})

test('acr values of another provider can be configured', async () => {
  const theirs = { OIDC_ACR_MFA: 'urn:two', OIDC_ACR_FRESH: 'urn:now' }
  expect(await verified({ acr: 'urn:two' }, theirs)).toMatchObject({ role: 'admin' })
  expect(await verified({ acr: 'mfa' }, theirs)).toMatchObject({ role: 'user' })
})

test.each<[claims: Record<string, unknown>, path: string | undefined, owner: boolean]>([
  [{}, undefined, true],
  [{ owner: false }, undefined, true],
  [{}, 'owner', false],
  [{ owner: true }, 'owner', true],
  [{ owner: 'true' }, 'owner', false],
  [{ owner: ['owner'] }, 'owner', false],
  [{ gatehouse: { owner: true } }, 'gatehouse owner', true],
  [{ owner: true, role: 'user' }, 'owner', false],
])(
  'an admin with the claims %j and the owner path %s has owner %s',
  async (claims, path, owner) => {
    const settings = path === undefined ? {} : { OIDC_OWNER_PATH: path }
    expect(await verified({ acr: 'mfa', ...claims }, settings)).toMatchObject({ owner })
  },
)

test('a user without a second factor has the role and claimed level user', async () => {
  expect(await verified({ role: 'user', acr: 'session' })).toMatchObject({
    role: 'user',
    claimed: 'user',
  })
})

test('firstStepIn returns the earliest step the provider recorded, or null if there is none', () => {
  expect(firstStepIn({ password: 1_800_000_000, code: 1_800_000_027 })).toBe(1_800_000_000)
  for (const steps of [undefined, null, {}, '{"password":1}', { password: 'long ago' }])
    expect(firstStepIn(steps)).toBeNull()
})
