import { expect, test } from 'vitest'
import { parkedIn } from './parked.ts'

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
const MADE = { id: 'made', type: 'otp', createdDate: NOW - 100 }

test('a factor set up in a sign-in that is newer than the password stays', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_CREDENTIAL', NOW)]
  expect(parkedIn(ENROLMENT, log, [password(HOUR), MADE])).toEqual([])
})

test('one set up on a page that was left open while the password was changed is taken away', () => {
  const log = [entry('LOGIN', 8 * HOUR), entry('UPDATE_PASSWORD', 9 * HOUR, 's-victim')]
  expect(parkedIn(ENROLMENT, log, [password(9 * HOUR), MADE])).toEqual([MADE])
})

test('one set up in no sign-in at all is taken away', () => {
  const log = [entry('LOGIN', 9 * HOUR, 's-2')]
  expect(parkedIn(ENROLMENT, log, [password(HOUR), MADE])).toEqual([MADE])
})

test('another factor of the person counts as a change too, unless the same sign-in set it up', () => {
  const passkey = { id: 'passkey', type: 'webauthn-passwordless', createdDate: 9 * HOUR }
  const log = [entry('LOGIN', 8 * HOUR)]
  expect(parkedIn(ENROLMENT, log, [password(HOUR), passkey, MADE])).toEqual([MADE])
  const own = [...log, entry('UPDATE_CREDENTIAL', 9 * HOUR + 50)]
  expect(parkedIn(ENROLMENT, own, [password(HOUR), passkey, MADE])).toEqual([])
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
  expect(parkedIn(ENROLMENT, log, all)).toEqual([MADE])
  const ofHers = { ...ENROLMENT, time: hers.createdDate + 100, signIn: 's-victim' }
  expect(parkedIn(ofHers, log, all)).toEqual([])
})

test('a password chosen in the same sign-in, as after a reset, is no reason', () => {
  const log = [entry('UPDATE_PASSWORD', 9 * HOUR), entry('LOGIN', 9 * HOUR + 60)]
  expect(parkedIn(ENROLMENT, log, [password(9 * HOUR - 20), MADE])).toEqual([])
})

test('an older factor of the same kind is never touched', () => {
  const older = { id: 'older', type: 'otp', createdDate: 2 * HOUR }
  expect(parkedIn(ENROLMENT, [], [password(HOUR), older, MADE])).toEqual([MADE])
})

test('a factor that Keycloak doesn’t show yet is looked for again', () => {
  expect(parkedIn(ENROLMENT, [], [password(HOUR)])).toBeNull()
})
