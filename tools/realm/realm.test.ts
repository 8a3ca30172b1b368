import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { REVOCATION_MS, SESSION_MAX_HOURS } from '../../api/src/platform/identity/session-life.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { clientsOf, WEB_MAPPERS } from './clients.ts'
import { denyList } from './deny-list.ts'
import { FLOW_TO_CHECK, flowsOf, type Flow, type Step } from './flows.ts'
import { readOptions } from './options.ts'
import { actionConfig, realmSettings, requiredActions } from './settings.ts'

const GENERATED = 'b7d1e5a09c3f4826b7d1e5a09c3f4826'
const ENV = {
  SITE_DIR: 'sample',
  SITE_URL: 'https://mine.example',
  IDENTITY_ADMIN_URL: 'http://127.0.0.1:1',
  REALM_SECRET: GENERATED,
  IDENTITY_SERVICE_SECRET: GENERATED,
  SMTP_URL: 'smtp://relay%40mine:p%24x@relay.mine.example',
}
const optionsOf = (change: Record<string, string> = {}) => readOptions({ ...ENV, ...change })

const redirectsOf = (change: Record<string, string>) =>
  clientsOf(optionsOf(change)).find(({ clientId }) => clientId === 'gatehouse-web')?.[
    'redirectUris'
  ]

describe('secrets', () => {
  test.each([
    ['REALM_SECRET', DEMO_SECRETS.realm],
    ['IDENTITY_SERVICE_SECRET', DEMO_SECRETS.service],
    ['REALM_SECRET', 'demo'],
    ['REALM_SECRET', GENERATED.slice(0, 23)],
    ['REALM_SECRET', ''],
  ])('%s "%s" is rejected outside the demo', (name, secret) => {
    expect(() => optionsOf({ [name]: secret })).toThrow(name)
  })

  test('the demo accepts its public secrets', () => {
    const demo = optionsOf({ REALM_DEMO: 'on', REALM_SECRET: DEMO_SECRETS.realm })
    expect(demo.keycloak.secret).toBe(DEMO_SECRETS.realm)
  })
})

test('redirect URIs are exact unless SIGN_IN_RETURN_URL is query', () => {
  expect(redirectsOf({})).toEqual([
    'https://mine.example/signin-callback',
    'https://mine.example/silent-renew.html',
  ])
  expect(redirectsOf({ SIGN_IN_RETURN_URL: 'query' })).toContain(
    'https://mine.example/signin-callback*',
  )
})

test('no client allows direct access grants, and only the API’s account has a secret', () => {
  const clients = clientsOf(optionsOf())
  expect(clients.filter(({ directAccessGrantsEnabled: is }) => is !== false)).toEqual([])
  expect(clients.filter(({ secret }) => secret).map(({ clientId }) => clientId)).toEqual([
    'gatehouse-service',
  ])
})

test('Keycloak uses the site’s mail relay; without one, email confirmation and password reset are off', () => {
  expect(realmSettings(optionsOf())).toMatchObject({
    verifyEmail: true,
    resetPasswordAllowed: true,
    smtpServer: {
      host: 'relay.mine.example',
      port: '587',
      starttls: 'true',
      user: 'relay@mine',
      password: 'p$x',
    },
  })
  const without = realmSettings(optionsOf({ SMTP_URL: '' }))
  expect(without).toMatchObject({ verifyEmail: false, resetPasswordAllowed: false })
  expect(without).not.toHaveProperty('smtpServer')
})

test('Keycloak’s HSTS header is that of HSTS_SECONDS, without subdomains', () => {
  const headerWith = (change: Record<string, string>) =>
    realmSettings(optionsOf(change)).browserSecurityHeaders.strictTransportSecurity
  expect(headerWith({})).toBe('max-age=31536000')
  expect(headerWith({ HSTS_SECONDS: '300' })).toBe('max-age=300')
  expect(headerWith({ HSTS_SECONDS: '0' })).toBe('')
})

const stepsOf = (flow: Flow): Step[] =>
  flow.steps.flatMap((step) => ('flow' in step ? stepsOf(step) : [step]))

test('ten wrong codes within 12 hours disable an account; wrong passwords never do', () => {
  const { maxSecondaryAuthFailures, maxDeltaTimeSeconds, failureFactor } =
    realmSettings(optionsOf())
  expect(maxSecondaryAuthFailures).toBe(10)
  expect(maxDeltaTimeSeconds).toBeGreaterThanOrEqual(12 * 3_600)
  expect(failureFactor).toBeGreaterThan(1e6)
})

test('a revocation is kept longer than any session, even one begun later from a page left open', () => {
  const { ssoSessionMaxLifespan, accessCodeLifespanLogin, accessCodeLifespanUserAction } =
    realmSettings(optionsOf())
  expect(ssoSessionMaxLifespan).toBe(SESSION_MAX_HOURS * 3_600)
  const page = Math.max(accessCodeLifespanLogin, accessCodeLifespanUserAction)
  expect(REVOCATION_MS).toBeGreaterThan((ssoSessionMaxLifespan + page) * 1_000)
})

test('access tokens contain the time of each step of the sign-in', () => {
  const { config } = WEB_MAPPERS.find(({ name }) => name === 'authenticators completed') ?? {}
  expect(config).toMatchObject({
    'user.session.note': 'authenticators-completed',
    'claim.name': 'authenticators_completed',
    'access.token.claim': 'true',
  })
})

test('every enabled required action starts with a new sign-in when a user requests it, including undeclared ones', () => {
  const declared = Object.entries(requiredActions).filter(([, { enabled }]) => enabled)
  expect(declared.length).toBeGreaterThan(5)
  for (const [alias] of declared)
    expect(actionConfig(alias, { enabled: true }), alias).toMatchObject({ max_auth_age: '0' })
  expect(actionConfig('delete_credential', { enabled: true })).toEqual({ max_auth_age: '0' })
  expect(actionConfig('TERMS_AND_CONDITIONS', { enabled: false })).toEqual({})
  expect(actionConfig('CONFIGURE_TOTP', { enabled: true })).toEqual({
    max_auth_age: '0',
    'add-recovery-codes': 'true',
  })
})

test('invitation links are valid for 72 hours, reset and confirmation links for 15 minutes', () => {
  expect(realmSettings(optionsOf())).toMatchObject({
    actionTokenGeneratedByAdminLifespan: 72 * 3_600,
    actionTokenGeneratedByUserLifespan: 900,
  })
})

const flowsIn = (flow: Flow): Flow[] => [
  flow,
  ...flow.steps.flatMap((step) => ('flow' in step ? flowsIn(step) : [])),
]

test('setting up a second factor requires the password first', () => {
  const setUps = flowsIn(flowsOf(optionsOf()).browserFlow).filter(({ flow }) =>
    flow.endsWith('set-up'),
  )
  expect(setUps.map(({ flow }) => flow)).toEqual(['level 2 set-up', 'level 3 set-up'])
  for (const { steps } of setUps)
    expect(steps.slice(-2)).toEqual([
      { authenticator: 'auth-password-form', requirement: 'REQUIRED' },
      { authenticator: 'auth-otp-form', requirement: 'REQUIRED' },
    ])
})

test('setting up a second factor requires an existing session', () => {
  const forms = flowsOf(optionsOf()).browserFlow.steps.find((step) => 'flow' in step)
  const levels = (forms as Flow).steps.filter(
    (step) => 'flow' in step && /^level [23]/.test(step.flow),
  )
  expect(levels).toHaveLength(2)
  for (const level of levels)
    expect((level as Flow).steps).toContainEqual(
      expect.objectContaining({
        config: { [FLOW_TO_CHECK]: 'newcomer', check_result: 'not-executed' },
      }),
    )
})

test('a password reset never sets up a factor, and denies an admin without one unless ADMIN_MFA is off', () => {
  const namesOf = (change: Record<string, string>) =>
    stepsOf(flowsOf(optionsOf(change)).resetCredentialsFlow).map((step) => step.authenticator)
  expect(namesOf({})).not.toContain('reset-otp')
  expect(namesOf({})).toContain('deny-access-authenticator')
  expect(namesOf({ ADMIN_MFA: 'off' })).not.toContain('deny-access-authenticator')
})

test('common.txt matches the generated password list, without passwords shorter than the required length', () => {
  const file = new URL('../../ops/keycloak/password-blacklists/common.txt', import.meta.url)
  const list = denyList()
  expect(readFileSync(file, 'utf8')).toBe(`${list.join('\n')}\n`)
  expect(list.filter((text) => text.length < 12)).toEqual([])
  for (const password of ['password1234', 'qwertyuiop12', 'iloveyou1234', '123456789012'])
    expect(list).toContain(password)
})
