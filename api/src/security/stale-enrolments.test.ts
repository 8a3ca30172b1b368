import { expect, test } from 'vitest'
import type { Credential } from '#platform/identity/directory.ts'
import type { UserEntry } from '#platform/identity/provider-log.ts'
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
const check = (enrolment: typeof ENROLMENT, log: UserEntry[], credentials: Credential[]) =>
  findStaleEnrolment(enrolment, { log, credentials, endedAt: null })
const MADE = { id: 'made', type: 'otp', createdDate: NOW - 100 }

test('a factor set up in a sign-in that is newer than the password stays', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_CREDENTIAL', NOW)]
  expect(check(ENROLMENT, log, [password(HOUR), MADE])).toEqual([])
})

test('one set up on a page that was left open while the password was changed is taken away', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_PASSWORD', 9 * HOUR, 's-victim')]
  expect(check(ENROLMENT, log, [password(9 * HOUR), MADE])).toEqual([MADE])
})

test('one set up in no sign-in at all is taken away', () => {
  const log = [entry('LOGIN', 9 * HOUR, 's-2')]
  expect(check(ENROLMENT, log, [password(HOUR), MADE])).toEqual([MADE])
})

test('another factor of the person counts as a change too, unless the same sign-in set it up', () => {
  const passkey = { id: 'passkey', type: 'webauthn-passwordless', createdDate: 9 * HOUR }
  const log = [entry('LOGIN', 8 * HOUR)]
  expect(check(ENROLMENT, log, [password(HOUR), passkey, MADE])).toEqual([MADE])
  const own = [...log, entry('UPDATE_CREDENTIAL', 9 * HOUR + 50)]
  expect(check(ENROLMENT, own, [password(HOUR), passkey, MADE])).toEqual([])
})

test('of two set up within seconds, the one on the page left open goes and the other stays', () => {
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

test('a password chosen in the same sign-in, as after a reset, is no reason', () => {
  const log = [entry('UPDATE_PASSWORD', 9 * HOUR), entry('LOGIN', 9 * HOUR + 60)]
  expect(check(ENROLMENT, log, [password(9 * HOUR - 20), MADE])).toEqual([])
})

test('an older factor of the same kind is never touched', () => {
  const older = { id: 'older', type: 'otp', createdDate: 2 * HOUR }
  expect(check(ENROLMENT, [], [password(HOUR), older, MADE])).toEqual([MADE])
})

test('a factor that Keycloak doesn’t show yet is looked for again', () => {
  expect(check(ENROLMENT, [], [password(HOUR)])).toBeNull()
})

/** A sign-in that ended with a page of this kind. */
const resumed = (time: number, action = 'UPDATE_PROFILE') => ({
  ...entry('LOGIN', time),
  details: { code_id: 's-1', custom_required_action: action },
})
const ENDED = { endedAt: 9 * HOUR, credentials: [password(HOUR), MADE] }

test('a factor set up in a session that was ended is removed, even if a page left open brought the session back', () => {
  const log = [entry('LOGIN', 8 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log })).toEqual([MADE])
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: [...log, resumed(9.5 * HOUR)] })).toEqual([
    MADE,
  ])
  // With the cookie of that session.
  const again = [...log, resumed(9.5 * HOUR), entry('LOGIN', 9.6 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: again })).toEqual([MADE])
})

test('a factor set up after signing in again stays, even if the new session has the id of the ended one', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('LOGIN', 9.5 * HOUR)]
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log })).toEqual([])
  expect(findStaleEnrolment(ENROLMENT, { ...ENDED, log: [entry('LOGIN', 9.5 * HOUR)] })).toEqual([])
})

test('recovery codes saved in a session that was ended are removed, although they are as old as the page', () => {
  const codes = { id: 'codes', type: 'recovery-authn-codes', createdDate: 8.5 * HOUR }
  const saved = { ...ENROLMENT, type: codes.type }
  const known = { ...ENDED, credentials: [password(HOUR), codes] }
  expect(findStaleEnrolment(saved, { ...known, log: [entry('LOGIN', 8 * HOUR)] })).toEqual([codes])
  expect(
    findStaleEnrolment(saved, { ...known, log: [entry('LOGIN', 8 * HOUR)], endedAt: null }),
  ).toEqual([])
})

test('a password chosen in a session that was ended is removed; one chosen in a reset stays', () => {
  const own = { id: 'password', type: 'password', createdDate: NOW - 100 }
  const change = { ...ENROLMENT, type: 'password' }
  const known = { ...ENDED, credentials: [own] }
  expect(findStaleEnrolment(change, { ...known, log: [entry('LOGIN', 8 * HOUR)] })).toEqual([own])
  expect(findStaleEnrolment(change, { ...known, log: [] })).toEqual([])
  expect(
    findStaleEnrolment(change, { ...known, log: [entry('LOGIN', 8 * HOUR)], endedAt: null }),
  ).toEqual([])
})

test('a page left open for longer than a session lives belongs to none', () => {
  const late = { sub: 'sub-1', signIn: 's-1', time: 20 * HOUR }
  expect(isOver(late, { log: [entry('LOGIN', 8 * HOUR)], endedAt: null })).toBe(true)
  expect(isOver(late, { log: [entry('LOGIN', 10 * HOUR)], endedAt: null })).toBe(false)
})
