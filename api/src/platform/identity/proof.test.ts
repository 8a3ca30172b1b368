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

async function standing(claims: Record<string, unknown>, settings: NodeJS.ProcessEnv = {}) {
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
])('an admin whose acr is %j counts as %s; just confirmed: %s', async (acr, role, isFresh) => {
  expect(await standing({ acr, auth_time: now() })).toEqual({
    role,
    owner: role === 'admin',
    isFresh,
    claimed: 'owner',
  })
})

test('amr proves nothing: a passkey and someone who has just enrolled lack it', async () => {
  expect(await standing({ acr: 'session', amr: ['pwd', 'otp'] })).toMatchObject({ role: 'user' })
})

test.each<[what: string, authTime: unknown, isFresh: boolean]>([
  ['599 s ago', () => now() - 599, true],
  ['601 s ago, by a refreshed token', () => now() - 601, false],
  ['a minute from now', () => now() + 60, false],
  ['as text', () => String(now()), false],
  ['never', () => undefined, false],
  ['NaN', () => 'NaN', false],
])('signed in %s: fresh is %s', async (_what, authTime, isFresh) => {
  const auth_time = (authTime as () => unknown)()
  expect((await standing({ acr: 'fresh', auth_time })).isFresh).toBe(isFresh)
  expect((await standing({ auth_time }, { ADMIN_MFA: 'off' })).isFresh).toBe(isFresh)
})

test('a remembered token stops being fresh', async () => {
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

test('ADMIN_MFA=off counts the role whatever acr says, and asks for a password of the last ten minutes', async () => {
  const off = { ADMIN_MFA: 'off' }
  expect(await standing({ auth_time: undefined }, off)).toMatchObject({
    role: 'admin',
    isFresh: false,
  })
  expect(await standing({ auth_time: now() }, off)).toMatchObject({ role: 'admin', isFresh: true })
  expect(() => tokenSettings('x', { ADMIN_MFA: 'no' })).toThrow('ADMIN_MFA must be on or off')
})

test('the values of another provider are settings', async () => {
  const theirs = { OIDC_ACR_MFA: 'urn:two', OIDC_ACR_FRESH: 'urn:now' }
  expect(await standing({ acr: 'urn:two' }, theirs)).toMatchObject({ role: 'admin' })
  expect(await standing({ acr: 'mfa' }, theirs)).toMatchObject({ role: 'user' })
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
])('the claims %j of an admin, with the path %s: owner is %s', async (claims, path, owner) => {
  const settings = path === undefined ? {} : { OIDC_OWNER_PATH: path }
  expect(await standing({ acr: 'mfa', ...claims }, settings)).toMatchObject({ owner })
})

test('a user needs no second factor, and has none of the rights', async () => {
  expect(await standing({ role: 'user', acr: 'session' })).toMatchObject({
    role: 'user',
    claimed: 'user',
  })
})

test('the first step of a sign-in is the earliest of those the provider notes; without them it is unknown', () => {
  expect(firstStepIn({ password: 1_800_000_000, code: 1_800_000_027 })).toBe(1_800_000_000)
  for (const steps of [undefined, null, {}, '{"password":1}', { password: 'long ago' }])
    expect(firstStepIn(steps)).toBeNull()
})
