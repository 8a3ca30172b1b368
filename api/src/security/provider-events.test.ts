import { expect, test } from 'vitest'
import type { AdminEvent, UserEvent } from '#platform/identity/provider-log.ts'
import { toEffect, toAdminEffect } from './provider-events.ts'

const TIME = 1_800_000_000_123
const user = (entry: Partial<UserEvent>): UserEvent => ({
  id: 'event-1',
  time: TIME,
  type: 'LOGIN',
  userId: 'sub-1',
  ...entry,
})
const admin = (resourcePath: string, entry: Partial<AdminEvent> = {}): AdminEvent => ({
  id: 'event-1',
  time: TIME,
  realmId: 'realm',
  operationType: 'ACTION',
  resourceType: 'USER',
  resourcePath,
  authDetails: { realmId: 'realm', userId: 'sub-boss' },
  ...entry,
})
const kindsOf = ({ events }: ReturnType<typeof toEffect>) => events.map(({ kind }) => kind)

test('only a new session is recorded as a sign-in; silent sign-ins of other tabs share its key', () => {
  const first = toEffect(user({ sessionId: 'session-1' }))
  const again = toEffect(user({ id: 'event-2', sessionId: 'session-1' }))
  expect(kindsOf(first)).toEqual(['sign-in'])
  expect(again.events[0]?.once).toBe(first.events[0]?.once)
  expect(first.revoked).toEqual([])
})

test('a recovery code is recorded as used at sign-in, not at enrolment', () => {
  const codes = { credential_type: 'recovery-authn-codes' }
  expect(kindsOf(toEffect(user({ sessionId: 's', details: codes })))).toEqual([
    'sign-in',
    'recovery-code-used',
  ])
  const setUp = { ...codes, custom_required_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' }
  expect(kindsOf(toEffect(user({ sessionId: 's', details: setUp })))).toEqual(['sign-in'])
})

test('a failed sign-in is recorded only for an existing account, without the typed name', () => {
  const details = { username: 'ada@example.test' }
  const typed = { type: 'LOGIN_ERROR', error: 'invalid_user_credentials', details } as never
  expect(toEffect({ ...user(typed), userId: undefined } as never)).toEqual({
    events: [],
    revoked: [],
  })
  const { events } = toEffect(user(typed))
  expect(events).toMatchObject([
    { kind: 'sign-in-failed', outcome: 'proof', about: { sub: 'sub-1' } },
  ])
  expect(JSON.stringify(events)).not.toContain('ada')
  const other = toEffect(user({ type: 'LOGIN_ERROR', error: 'a new reason: Ada Lovelace' }))
  expect(other.events).toMatchObject([{ outcome: 'other' }])
})

test.each([
  ['password', 'UPDATE_CREDENTIAL', 'password-changed', undefined],
  ['otp', 'UPDATE_CREDENTIAL', 'factor-added', 'app'],
  ['webauthn-passwordless', 'UPDATE_CREDENTIAL', 'factor-added', 'passkey'],
  ['recovery-authn-codes', 'REMOVE_CREDENTIAL', 'factor-removed', 'codes'],
  ['something-new', 'REMOVE_CREDENTIAL', 'factor-removed', 'other'],
])('%s: %s is recorded as %s and revokes earlier tokens', (credential, type, kind, outcome) => {
  const meaning = toEffect(user({ type, details: { credential_type: credential } }))
  expect(meaning.events).toMatchObject([{ kind, ...(outcome ? { outcome } : {}) }])
  expect(meaning.revoked).toEqual([{ sub: 'sub-1' }])
})

test.each([
  ['password', 'UPDATE_CREDENTIAL'],
  ['otp', 'REMOVE_CREDENTIAL'],
])('%s: %s by the account ends its sessions except the current one', (credential, type) => {
  const details = { credential_type: credential, code_id: 's-1' }
  expect(toEffect(user({ type, details }))).toMatchObject({
    ended: { sub: 'sub-1', spared: 's-1', time: TIME },
    isOwnAct: true,
  })
})

test('enrolling a second factor ends no session', () => {
  const details = { credential_type: 'otp', code_id: 's-1' }
  expect(toEffect(user({ type: 'UPDATE_CREDENTIAL', details })).ended).toBeUndefined()
})

test('a sign-in continued after a required action is checked as resumed', () => {
  const details = { code_id: 's-1', custom_required_action: 'UPDATE_PROFILE' }
  expect(toEffect(user({ sessionId: 's-1', details })).resumed).toEqual({
    sub: 'sub-1',
    time: TIME,
    signIn: 's-1',
  })
  expect(toEffect(user({ sessionId: 's-1' })).resumed).toBeUndefined()
})

test('a changed password is recorded once, although Keycloak logs it twice', () => {
  expect(kindsOf(toEffect(user({ type: 'UPDATE_PASSWORD' })))).toEqual([])
})

test('a sign-out revokes its session; a permanent lockout ends all of them', () => {
  expect(toEffect(user({ type: 'LOGOUT', sessionId: 's' })).revoked).toEqual([
    { sid: 's', sub: 'sub-1' },
  ])
  expect(toEffect(user({ type: 'USER_DISABLED_BY_PERMANENT_LOCKOUT' }))).toMatchObject({
    events: [{ kind: 'locked-out' }],
    ended: { sub: 'sub-1', spared: null },
    locked: { sub: 'sub-1' },
  })
})

test.each([
  ['users/sub-2/logout', 'sign-out-everywhere'],
  ['users/sub-2/reset-password', 'password-changed'],
  ['users/sub-2/credentials/c-1', 'factor-removed'],
])(
  'a call of %s in the console is recorded as %s with its actor; our own call is not recorded again',
  (path, kind) => {
    expect(toAdminEffect(admin(path), 'self')).toMatchObject({
      events: [{ kind, actor: { sub: 'sub-boss' }, about: { sub: 'sub-2' } }],
      ended: { sub: 'sub-2', spared: null, time: TIME },
    })
    expect(toAdminEffect(admin(path), 'sub-boss')).toEqual({
      events: [],
      revoked: [],
      ended: { sub: 'sub-2', spared: null, time: TIME },
    })
  },
)

test('realm profile settings are not read as an account', () => {
  const { events, changed } = toAdminEffect(admin('users/profile'), 'self')
  expect([events, changed]).toEqual([[], undefined])
})

test('an administrator of another realm is recorded without an actor', () => {
  const entry = admin('users/sub-2/logout', { authDetails: { realmId: 'master', userId: 'root' } })
  expect(toAdminEffect(entry, 'self').events).toMatchObject([{ actor: null }])
})

test.each([
  ['users/sub-2', 'UPDATE', 'account'],
  ['users/sub-2/role-mappings/realm', 'CREATE', 'level'],
  ['users/sub-2/role-mappings/realm', 'DELETE', 'level'],
  ['users/sub-2/groups/g-1', 'DELETE', 'level'],
] as const)(
  '%s (%s) has the account looked up, because the event lacks the change',
  (path, operationType, what) => {
    expect(toAdminEffect(admin(path, { operationType }), 'self')).toEqual({
      events: [],
      revoked: [{ sub: 'sub-2' }],
      changed: { sub: 'sub-2', what, time: TIME },
      ...(operationType === 'DELETE' ? { ended: { sub: 'sub-2', spared: null, time: TIME } } : {}),
    })
  },
)

test('a level changed by our own service account ends no session again', () => {
  const entry = admin('users/sub-2/role-mappings/realm', { operationType: 'DELETE' })
  expect(toAdminEffect(entry, 'sub-boss')).toEqual({ events: [], revoked: [{ sub: 'sub-2' }] })
})

test('signing out one session revokes its tokens; signing out all accounts ends all sessions', () => {
  const session = admin('sessions/s-1', { operationType: 'DELETE' })
  expect(toAdminEffect(session, 'self').revoked).toEqual([{ sid: 's-1' }])
  expect(toAdminEffect(admin('logout-all'), 'self').ended).toMatchObject({ sub: null })
})

test.each([
  ['users/sub-2', { operationType: 'CREATE' }],
  ['users/sub-2/execute-actions-email', {}],
  ['clients/c-1', { operationType: 'UPDATE' }],
  ['users/sub-2/logout', { error: 'refused' }],
])('an admin event at %s with %o has no effect', (path, entry) => {
  expect(toAdminEffect(admin(path, entry), 'self')).toEqual({ events: [], revoked: [] })
})
