import type { SecurityEvent } from '@gatehouse/model'
import type { Revoked } from '#platform/identity/revoke.ts'
import type { AdminEvent, UserEvent } from '#platform/identity/provider-log.ts'

export type ProviderEventEffect = {
  events: SecurityEvent[]
  revoked: readonly Revoked[]
  /** Ends every session begun before the event. */
  ended?: Ended
  /** A sign-in continued after a required action, whose page may have been left open. */
  resumed?: SignIn
  /** Done by the account itself; its sign-in's token, issued in the same second, must remain valid. */
  isOwnAct?: true
  /** The account must be looked up: the event doesn't contain the change. */
  changed?: { sub: string; what: 'account' | 'level'; time: number }
  enrolled?: Enrolment
  /** Locked out after too many wrong codes. */
  locked?: { sub: string }
}

/** `sub` null means all accounts. `spared` is the session in which the account itself made the change. */
export type Ended = { sub: string | null; spared: string | null; time: number }
export type SignIn = { sub: string; time: number; signIn: string | undefined }
export type Enrolment = SignIn & { type: string }

export const NO_EFFECT: ProviderEventEffect = { events: [], revoked: [] }

/** Factors by Keycloak credential type. */
const FACTORS = {
  otp: 'app',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'codes',
} as const

const FAILURES = {
  invalid_user_credentials: 'proof',
  user_temporarily_disabled: 'locked',
  user_disabled: 'disabled',
} as const

const lookUp = <T extends object, F>(words: T, word: string | undefined, otherwise: F) =>
  word !== undefined && Object.hasOwn(words, word) ? words[word as keyof T] : otherwise

/** Events without an account, such as a mistyped name, have no effect. */
export function toEffect({
  id,
  time,
  type,
  userId,
  sessionId,
  error,
  details,
}: UserEvent): ProviderEventEffect {
  if (!userId) return NO_EFFECT
  const at = new Date(time)
  const person = { sub: userId }
  const theirs = { at, about: person, once: id } as const
  const own = { revoked: [person], isOwnAct: true } as const
  const credential = details?.credential_type
  const enrolled = { sub: userId, type: credential ?? '', time, signIn: details?.code_id }
  const endedBy = (spared: string | null = null) => ({ ended: { sub: userId, spared, time } })
  const here = details?.code_id ?? sessionId ?? null
  switch (type) {
    case 'LOGIN':
      return {
        revoked: [],
        ...(details?.custom_required_action
          ? { resumed: { sub: userId, time, signIn: sessionId } }
          : {}),
        events: [
          // Each tab signs in silently, so only a new session counts as a sign-in.
          ...(sessionId
            ? [{ kind: 'sign-in', at, actor: person, sid: sessionId, once: sessionId } as const]
            : []),
          // With a required action, the codes were enrolled, not used.
          ...(credential === 'recovery-authn-codes' && !details?.custom_required_action
            ? [{ ...theirs, kind: 'recovery-code-used' } as const]
            : []),
        ],
      }
    case 'LOGIN_ERROR':
      return {
        revoked: [],
        events: [
          { ...theirs, kind: 'sign-in-failed', outcome: lookUp(FAILURES, error, 'other' as const) },
        ],
      }
    case 'USER_DISABLED_BY_TEMPORARY_LOCKOUT':
      return { revoked: [], events: [{ ...theirs, kind: 'locked-out' }] }
    case 'USER_DISABLED_BY_PERMANENT_LOCKOUT':
      return {
        revoked: [],
        ...endedBy(),
        events: [{ ...theirs, kind: 'locked-out' }],
        locked: person,
      }
    // UPDATE_PASSWORD duplicates this event.
    case 'UPDATE_CREDENTIAL':
      return credential === 'password'
        ? {
            ...own,
            ...endedBy(here),
            events: [{ ...theirs, kind: 'password-changed' }],
            enrolled,
          }
        : {
            ...own,
            events: [{ ...theirs, kind: 'factor-added', outcome: factorOf(credential) }],
            enrolled,
          }
    case 'REMOVE_CREDENTIAL':
      return {
        ...own,
        ...endedBy(here),
        events: [{ ...theirs, kind: 'factor-removed', outcome: factorOf(credential) }],
      }
    case 'LOGOUT':
      return { events: [], revoked: sessionId ? [{ sid: sessionId, sub: userId }] : [] }
    case 'DELETE_ACCOUNT':
      return { events: [], revoked: [], ...endedBy() }
    default:
      return NO_EFFECT
  }
}

export const factorOf = (credential: string | undefined) =>
  lookUp(FACTORS, credential, 'other' as const)

/** `users/profile` is a realm setting, not an account. */
const OF_A_PERSON = /^users\/(?!profile(?:\/|$))([\w-]+)(?:\/(.+))?$/

/** `self` is our service account, whose actions were already recorded with the caller who requested them. */
export function toAdminEffect(entry: AdminEvent, self: string): ProviderEventEffect {
  if (entry.error) return NO_EFFECT
  const { id, time, operationType, resourcePath, authDetails } = entry
  const endedOf = (sub: string | null) => ({ ended: { sub, spared: null, time } })
  if (resourcePath === 'logout-all') return { events: [], revoked: [], ...endedOf(null) }
  const [, sid] = /^sessions\/([\w-]+)$/.exec(resourcePath) ?? []
  if (sid && operationType === 'DELETE') return { events: [], revoked: [{ sid }] }
  const [, sub, part = ''] = OF_A_PERSON.exec(resourcePath) ?? []
  if (!sub || (operationType === 'CREATE' && part === '')) return NO_EFFECT
  const isOurs = authDetails?.userId === self
  // Keycloak's own administrators are in another realm, so they have no account here.
  const isKnown = authDetails?.userId !== undefined && authDetails.realmId === entry.realmId
  const facts = {
    at: new Date(time),
    actor: isKnown ? { sub: authDetails.userId ?? '' } : null,
    about: { sub },
    once: id,
  }
  const kind = kindAt(part)
  if (kind) return { revoked: [], ...endedOf(sub), events: isOurs ? [] : [{ ...facts, kind }] }
  const revoked = [{ sub }]
  if (part === '')
    return { revoked, events: [], ...(isOurs ? {} : { changed: { sub, what: 'account', time } }) }
  if (!/^(role-mappings|groups)\b/.test(part)) return NO_EFFECT
  if (isOurs) return { revoked, events: [] }
  // A role was removed; the remaining level is looked up.
  const isLess = operationType === 'DELETE'
  return {
    revoked,
    ...(isLess ? endedOf(sub) : {}),
    events: [],
    changed: { sub, what: 'level', time },
  }
}

function kindAt(part: string) {
  if (part === 'logout') return 'sign-out-everywhere'
  if (part === 'reset-password') return 'password-changed'
  return /^credentials\/[\w-]+$|^disable-credential-types$/.test(part) ? 'factor-removed' : null
}
