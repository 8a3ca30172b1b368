import { expect, test } from 'vitest'
import type { Credential } from '#platform/identity/directory.ts'
import type { UserEvent } from '#platform/identity/provider-log.ts'
import { isOver, findStaleEnrolment } from './stale-enrolments.ts'

const HOUR = 3_600_000
const NOW = 10 * HOUR
const ENROLMENT = { sub: 'sub-1', type: 'otp', time: NOW, signIn: 's-1' }
const entry = (type: string, time: number, code = 's-1') => ({
  id: `${type} ${time}`,
  type,
  time,
  details: { code_id: code },
})
const password = (createdDate: number) => ({ id: 'password', type: 'password', createdDate })
const check = (enrolment: typeof ENROLMENT, log: UserEvent[], credentials: Credential[]) =>
  findStaleEnrolment(enrolment, { log, credentials, endedAt: null })
const MADE = { id: 'made', type: 'otp', createdDate: NOW - 100 }

test('a factor enrolled in a sign-in newer than the password is kept', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_CREDENTIAL', NOW)]
  expect(check(ENROLMENT, log, [password(HOUR), MADE])).toEqual([])
})

test('a factor enrolled on a page left open during a password change is removed', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_PASSWORD', 9 * HOUR, 's-victim')]
  expect(check(ENROLMENT, log, [password(9 * HOUR), MADE])).toEqual([MADE])
})

test('a second factor enrolled outside any sign-in is removed', () => {
  const log = [entry('LOGIN', 9 * HOUR, 's-2')]
  expect(check(ENROLMENT, log, [password(HOUR), MADE])).toEqual([MADE])
})

test('a factor is removed if another factor was enrolled since its sign-in began, unless by the same sign-in', () => {
  const passkey = { id: 'passkey', type: 'webauthn-passwordless', createdDate: 9 * HOUR }
  const log = [entry('LOGIN', 8 * HOUR)]
  expect(check(ENROLMENT, log, [password(HOUR), passkey, MADE])).toEqual([MADE])
  const own = [...log, entry('UPDATE_CREDENTIAL', 9 * HOUR + 50)]
  expect(check(ENROLMENT, own, [password(HOUR), passkey, MADE])).toEqual([])
})

test('of two factors enrolled within seconds, only the one from the page left open is removed', () => {
  const hers = { id: 'hers', type: 'otp', createdDate: NOW - 2_000 }
  const log = [
    entry('LOGIN', 8 * HOUR),
    entry('LOGIN', 9 * HOUR, 's-victim'),
    entry('UPDATE_CREDENTIAL', hers.createdDate + 100, 's-victim'),
    entry('UPDATE_CREDENTIAL', NOW),
  ]
  const all = [password(HOUR), hers, MADE]
  expect(check(ENROLMENT, log, all)).toEqual([MADE])
  const ofHers = { ...ENROLMENT, time: hers.createdDate + 100, signIn: 's-victim' }
  expect(check(ofHers, log, all)).toEqual([])
})

test('a factor is kept if its own sign-in changed the password, as after a reset', () => {
  const log = [entry('UPDATE_PASSWORD', 9 * HOUR), entry('LOGIN', 9 * HOUR + 60)]
  expect(check(ENROLMENT, log, [password(9 * HOUR - 20), MADE])).toEqual([])
})

test('an older factor of the same kind is kept', () => {
  const older = { id: 'older', type: 'otp', createdDate: 2 * HOUR }
  expect(check(ENROLMENT, [], [password(HOUR), older, MADE])).toEqual([MADE])
})

test('the check for a factor is repeated until Keycloak lists it', () => {
  expect(check(ENROLMENT, [], [password(HOUR)])).toBeNull()
})

/** A sign-in that ended with this required action. */
const resumed = (time: number, action = 'UPDATE_PROFILE') => ({
  ...entry('LOGIN', time),
  details: { code_id: 's-1', custom_required_action: action },
})
const ENDED = { endedAt: 9 * HOUR, credentials: [password(HOUR), MADE] }

test('a factor enrolled in an ended session is removed, even if a page left open resumed the session', () => {
  const log = [entry('LOGIN', 8 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log })).toEqual([MADE])
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: [...log, resumed(9.5 * HOUR)] })).toEqual([
    MADE,
  ])
  // With the cookie of that session.
  const again = [...log, resumed(9.5 * HOUR), entry('LOGIN', 9.6 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: again })).toEqual([MADE])
})

test('a factor enrolled after a new sign-in is kept, even if the new session reuses the ended one’s id', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('LOGIN', 9.5 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log })).toEqual([])
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: [entry('LOGIN', 9.5 * HOUR)] })).toEqual([])
})

test('recovery codes saved in an ended session are removed, although dated when the page was opened', () => {
  const codes = { id: 'codes', type: 'recovery-authn-codes', createdDate: 8.5 * HOUR }
  const saved = { ...ENROLMENT, type: codes.type }
  const known = { ...ENDED, credentials: [password(HOUR), codes] }
  expect(findStaleEnrolment(saved, { ...known, log: [entry('LOGIN', 8 * HOUR)] })).toEqual([codes])
  expect(
    findStaleEnrolment(saved, { ...known, log: [entry('LOGIN', 8 * HOUR)], endedAt: null }),
  ).toEqual([])
})

test('a password chosen in an ended session is removed; one chosen in a reset is kept', () => {
  const own = { id: 'password', type: 'password', createdDate: NOW - 100 }
  const change = { ...ENROLMENT, type: 'password' }
  const known = { ...ENDED, credentials: [own] }
  expect(findStaleEnrolment(change, { ...known, log: [entry('LOGIN', 8 * HOUR)] })).toEqual([own])
  expect(findStaleEnrolment(change, { ...known, log: [] })).toEqual([])
  expect(
    findStaleEnrolment(change, { ...known, log: [entry('LOGIN', 8 * HOUR)], endedAt: null }),
  ).toEqual([])
})

test('a factor is removed if its page was left open for longer than a session lives', () => {
  const late = { sub: 'sub-1', signIn: 's-1', time: 20 * HOUR }
  expect(isOver(late, { log: [entry('LOGIN', 8 * HOUR)], endedAt: null })).toBe(true)
  expect(isOver(late, { log: [entry('LOGIN', 10 * HOUR)], endedAt: null })).toBe(false)
})
