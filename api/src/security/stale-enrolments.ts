import type { Credential } from '#platform/identity/directory.ts'
import type { UserEvent } from '#platform/identity/provider-log.ts'
import { REVOCATION_MS } from '#platform/identity/session-life.ts'
import type { Enrolment, SignIn } from './provider-events.ts'

/** A credential is created at most this long before its log event. */
const CREATED_BEFORE_MS = 5_000
const RECOVERY = 'recovery-authn-codes'

type Known = {
  log: UserEvent[]
  credentials: Credential[]
  /** When the enrolment's session was last ended before it. */
  endedAt: number | null
}

/**
 * The credential to remove: any enrolled in an ended session, and a factor whose sign-in is unknown or began before the
 * password or another factor changed. Changes by the same sign-in don't count. Null while Keycloak doesn't list it yet.
 */
export function findStaleEnrolment(enrolment: Enrolment, { log, credentials, endedAt }: Known) {
  const { type, time, signIn } = enrolment
  // The closest in time: the owner's own may be a second older than a thief's.
  const [created] = credentials
    .filter((one) => one.type === type && isCreatedAt(one, time))
    .toSorted((one, other) => Math.abs(time - one.createdDate) - Math.abs(time - other.createdDate))
  if (!created) return null
  if (isOver(enrolment, { log, endedAt })) return [created]
  if (type === 'password') return []
  const ofThis = log.filter(({ details }) => signIn !== undefined && details?.code_id === signIn)
  const began = ofThis.find((entry) => entry.type === 'LOGIN')?.time
  const own = ofThis.filter(
    (entry) => /^UPDATE_(PASSWORD|CREDENTIAL)$/.test(entry.type) && entry.time !== time,
  )
  const changed = credentials
    .filter((one) => one !== created && one.createdDate <= time)
    .map(({ createdDate }) => createdDate)
    .filter((at) => !own.some((entry) => Math.abs(entry.time - at) < CREATED_BEFORE_MS))
  const isStale = changed.length > 0 && (began === undefined || began < Math.max(...changed))
  return isStale ? [created] : []
}

/** Recovery codes are one set, dated when the page was opened, not when they were saved. */
const isCreatedAt = ({ type, createdDate }: Credential, time: number) =>
  type === RECOVERY ? createdDate <= time : Math.abs(time - createdDate) < CREATED_BEFORE_MS

/**
 * Whether the session was ended or expired by then. A later sign-in may reuse its ID: then the first LOGIN after the end has
 * no required action, unlike one from a page left open.
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
