import type { SecurityEvent } from '@gatehouse/model'
import type { Revoked } from '#platform/identity/revoke.ts'
import type { AdminEntry, UserEntry } from '#platform/identity/provider-log.ts'

/** What an entry of the provider's log means here. */
export type ProviderEventEffect = {
  events: SecurityEvent[]
  revoked: readonly Revoked[]
  /** Every sign-in begun before it is over. */
  ended?: Ended
  /** A sign-in that went on after a page of the provider's, such as one that was left open. */
  resumed?: SignIn
  /** They did it themselves, in a sign-in that is about to get its token: one of the same second counts. */
  isOwnAct?: true
  /** Someone whose account must be looked up: the entry doesn't say what has changed. */
  changed?: { sub: string; what: 'account' | 'level'; time: number }
  /** A factor that was set up, in which sign-in. */
  enrolled?: Enrolment
  /** Someone who was locked out for guessing codes. */
  locked?: { sub: string }
}

/** Null: everyone's. `spared` is the session in which the person did it themselves. */
export type Ended = { sub: string | null; spared: string | null; time: number }
export type SignIn = { sub: string; time: number; signIn: string | undefined }
export type Enrolment = SignIn & { type: string }

export const NO_EFFECT: ProviderEventEffect = { events: [], revoked: [] }

/** Entries of one kind that tell of one thing, by the type of credential. */
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

/** Entries about nobody we know, such as a name typed wrong, mean nothing. */
export function toEffect({
  id,
  time,
  type,
  userId,
  sessionId,
  error,
  details,
}: UserEntry): ProviderEventEffect {
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
          // Each tab signs in silently: a sign-in is a session that is new.
          ...(sessionId
            ? [{ kind: 'sign-in', at, actor: person, sid: sessionId, once: sessionId } as const]
            : []),
          // With an action it was set up, not used.
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
    // UPDATE_PASSWORD tells the same once more.
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

/** `users/profile` is a setting of the realm. */
const OF_A_PERSON = /^users\/(?!profile(?:\/|$))([\w-]+)(?:\/(.+))?$/

/** `self`: our own account there, whose acts we have recorded ourselves, with the person who asked for them. */
export function toAdminEffect(entry: AdminEntry, self: string): ProviderEventEffect {
  if (entry.error) return NO_EFFECT
  const { id, time, operationType, resourcePath, authDetails } = entry
  const endedOf = (sub: string | null) => ({ ended: { sub, spared: null, time } })
  if (resourcePath === 'logout-all') return { events: [], revoked: [], ...endedOf(null) }
  const [, sid] = /^sessions\/([\w-]+)$/.exec(resourcePath) ?? []
  if (sid && operationType === 'DELETE') return { events: [], revoked: [{ sid }] }
  const [, sub, part = ''] = OF_A_PERSON.exec(resourcePath) ?? []
  if (!sub || (operationType === 'CREATE' && part === '')) return NO_EFFECT
  const isOurs = authDetails?.userId === self
  // Administrators of Keycloak itself are in another realm, and nobody we know.
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
  // Something was taken away: which level is left is looked up.
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
