import type { Credential } from '#platform/identity/directory.ts'
import type { UserEntry } from '#platform/identity/provider-log.ts'
import { REVOCATION_MS } from '#platform/identity/session-life.ts'
import type { Enrolment, SignIn } from './provider-events.ts'

/** A credential is made just before the log tells of it. */
const MADE_BEFORE_MS = 5_000
const RECOVERY = 'recovery-authn-codes'

type Known = {
  log: UserEntry[]
  credentials: Credential[]
  /** When the sign-in was last ended before it. */
  endedAt: number | null
}

/**
 * The credential to take away again: set up in a session that was over; a factor too, where the sign-in began before the
 * password or another factor was changed, or never was one. What the same sign-in has changed itself doesn't count against it.
 * Null while Keycloak doesn't show it yet.
 */
export function findStaleEnrolment(enrolment: Enrolment, { log, credentials, endedAt }: Known) {
  const { type, time, signIn } = enrolment
  // The nearest: the person's own may have been made a second before a thief's.
  const [made] = credentials
    .filter((one) => one.type === type && isMadeAt(one, time))
    .toSorted((one, other) => Math.abs(time - one.createdDate) - Math.abs(time - other.createdDate))
  if (!made) return null
  if (isOver(enrolment, { log, endedAt })) return [made]
  if (type === 'password') return []
  const ofThis = log.filter(({ details }) => signIn !== undefined && details?.code_id === signIn)
  const began = ofThis.find((entry) => entry.type === 'LOGIN')?.time
  const own = ofThis.filter(
    (entry) => /^UPDATE_(PASSWORD|CREDENTIAL)$/.test(entry.type) && entry.time !== time,
  )
  const changed = credentials
    .filter((one) => one !== made && one.createdDate <= time)
    .map(({ createdDate }) => createdDate)
    .filter((at) => !own.some((entry) => Math.abs(entry.time - at) < MADE_BEFORE_MS))
  const isParked = changed.length > 0 && (began === undefined || began < Math.max(...changed))
  return isParked ? [made] : []
}

/** Of recovery codes there is one set; it has the time at which the page was opened, not that at which they were saved. */
const isMadeAt = ({ type, createdDate }: Credential, time: number) =>
  type === RECOVERY ? createdDate <= time : Math.abs(time - createdDate) < MADE_BEFORE_MS

/**
 * Whether the session was over by then, because it was ended or can't live so long. Someone who has signed in again since may
 * have its id: the first thing they did was that, and not a page left open, which the log names.
 */
export function isOver({ signIn, time }: SignIn, { log, endedAt }: Pick<Known, 'log' | 'endedAt'>) {
  const over = Math.max(endedAt ?? 0, time - REVOCATION_MS)
  const logins = log.filter(
    ({ type, details, ...entry }) =>
      type === 'LOGIN' && details?.code_id === signIn && entry.time <= time,
  )
  const [again] = logins.filter((entry) => entry.time > over)
  const wasThere = logins.some((entry) => entry.time <= over)
  return wasThere && (!again || again.details?.custom_required_action !== undefined)
}
