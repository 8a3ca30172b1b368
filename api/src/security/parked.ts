import type { Credential } from '#platform/identity/directory.ts'
import type { UserEntry } from '#platform/identity/provider-log.ts'
import type { Enrolment } from './entries.ts'

/** A credential is made just before the log tells of it. */
const MADE_BEFORE_MS = 5_000

/**
 * The factor to take away again: set up in a sign-in that began before the password or another factor was changed, or that
 * never was one. What the same sign-in has changed itself doesn't count against it. Null while Keycloak doesn't show it yet.
 */
export function parkedIn({ type, time, signIn }: Enrolment, log: UserEntry[], all: Credential[]) {
  // The nearest: the person's own may have been made a second before a thief's.
  const [made] = all
    .filter((one) => one.type === type && Math.abs(time - one.createdDate) < MADE_BEFORE_MS)
    .toSorted((one, other) => Math.abs(time - one.createdDate) - Math.abs(time - other.createdDate))
  if (!made) return null
  const ofThis = log.filter(({ details }) => signIn !== undefined && details?.code_id === signIn)
  const began = ofThis.find((entry) => entry.type === 'LOGIN')?.time
  const own = ofThis.filter(
    (entry) => /^UPDATE_(PASSWORD|CREDENTIAL)$/.test(entry.type) && entry.time !== time,
  )
  const changed = all
    .filter((one) => one !== made && one.createdDate <= made.createdDate)
    .map(({ createdDate }) => createdDate)
    .filter((at) => !own.some((entry) => Math.abs(entry.time - at) < MADE_BEFORE_MS))
  const isParked = changed.length > 0 && (began === undefined || began < Math.max(...changed))
  return isParked ? [made] : []
}
