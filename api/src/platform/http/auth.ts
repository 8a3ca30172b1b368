import { hash } from 'node:crypto'
import { isOneLine, levelOf, toOneLine, type Visitor } from '@gatehouse/model'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { TokenSettings } from '#platform/env.ts'
import { invalidToken, keysUnavailable } from '#platform/errors.ts'
import { buildProofs, firstStepIn, type Proof } from '#platform/identity/proof.ts'
import { setBounded } from '#platform/lru-map.ts'
import type { IssuedToken } from '#platform/identity/revocations.ts'

const CLOCK_TOLERANCE_S = 5
const KEYS_RELOAD_MS = 600_000
/** Retry interval while the identity provider is unreachable: it may start after us. */
const KEYS_RETRY_MS = 15_000
/** Keys are trusted this long without the identity provider confirming them. */
const KEYS_MAX_AGE_MS = 24 * 3_600_000
/** Minimum interval between fetches for an unknown key ID. */
const KEYS_COOLDOWN_MS = 5_000
const KEYS_TIMEOUT_MS = 3_000
const CACHED_TOKENS_MAX = 5_000
const EMAIL_MAX_LENGTH = 254
const NAME_MAX_LENGTH = 200
const SID_MAX_LENGTH = 200

/** A visitor as described by the token. The address counts only if the identity provider has verified it. */
export type SignedIn = NonNullable<Visitor> & {
  email: string | null
  emailVerified: boolean
  /** Session ID at the provider, if it sends one. */
  sid: string | null
  /** In seconds. */
  issuedAt: number
  /** Time of the sign-in's first step in seconds, if the provider sends it. */
  firstStepAt: number | null
  proof: Proof
}

/**
 * Turns an Authorization header into a visitor. An invalid token is 401; one that can't be verified because the keys are
 * unavailable is 503.
 */
export function buildVerifier(
  settings: TokenSettings,
  isRevoked: (token: IssuedToken) => boolean = () => false,
) {
  // Cached without expiry, so that an outage of the identity provider signs no user out. A timer reloads the keys, an unknown
  // key ID fetches them immediately, and KEYS_MAX_AGE_MS limits the trust.
  const keys = createRemoteJWKSet(new URL(settings.jwksUri), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_TIMEOUT_MS,
  })
  let confirmedAt = 0
  let isUp = false
  const reload = () =>
    keys.reload().then(
      () => {
        isUp = true
        confirmedAt = Date.now()
      },
      () => {
        isUp = false
      },
    )
  const timers = [
    setInterval(() => void reload(), KEYS_RELOAD_MS).unref(),
    setInterval(() => {
      if (!isUp) void reload()
    }, KEYS_RETRY_MS).unref(),
  ]
  void reload()

  const cachedTokens = buildTokenCache()
  const proofOf = buildProofs(settings)

  const isOutdated = () => confirmedAt !== 0 && Date.now() - confirmedAt > KEYS_MAX_AGE_MS

  /** The token's owner, if cached; undefined means it must be verified. */
  function cachedVisitor(header: string | undefined): SignedIn | null | undefined {
    if (header === undefined) return null
    const token = isOutdated() ? undefined : tokenIn(header)
    const visitor = token && cachedTokens.get(token)
    return visitor && !isRevoked(visitor) ? visitor : undefined
  }

  async function verify(header: string | undefined): Promise<SignedIn | null> {
    if (header === undefined) return null
    const token = tokenIn(header)
    if (!token) throw invalidToken()
    if (isOutdated()) throw keysUnavailable()
    const cached = cachedTokens.get(token)
    if (cached) return unlessRevoked(cached)
    const claims = await checkToken(token)
    const visitor = toVisitor(claims, settings, proofOf)
    cachedTokens.set(token, visitor, (claims.exp ?? 0) * 1000)
    return unlessRevoked(visitor)
  }

  function unlessRevoked(visitor: SignedIn) {
    if (isRevoked(visitor)) throw invalidToken()
    return visitor
  }

  async function checkToken(token: string) {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: settings.algorithms,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['sub', 'exp', 'iat'],
        ...(settings.type ? { typ: settings.type } : {}),
      })
      if (confirmedAt === 0) confirmedAt = Date.now()
      if (!isForUs(payload, settings)) throw invalidToken()
      return payload
    } catch (error) {
      if (isOutage(error)) throw keysUnavailable(error)
      throw invalidToken()
    }
  }

  return {
    cachedVisitor,
    verify,
    /** For long responses: whether their token has been revoked since. */
    isRevoked,
    keys: () => ({ isUp, confirmedAt }),
    close: () => timers.forEach((timer) => clearInterval(timer)),
  }
}

const tokenIn = (header: string) => /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1]

export type Verifier = ReturnType<typeof buildVerifier>

/** Claims beyond the registered ones; `unknown` until checked. */
type TokenClaims = JWTPayload & {
  [
    K in
      | 'azp'
      | 'client_id'
      | 'cnf'
      | 'name'
      | 'preferred_username'
      | 'email'
      | 'email_verified'
      | 'acr'
      | 'auth_time'
      | 'sid'
      | 'authenticators_completed'
  ]?: unknown
}

function isForUs(claims: TokenClaims, settings: TokenSettings) {
  const party = claims.azp ?? claims.client_id
  // A DPoP-bound token proves nothing without its proof.
  if (claims.cnf !== undefined) return false
  if (typeof claims.sub !== 'string' || claims.sub === '' || !isOneLine(claims.sub)) return false
  return settings.authorisedParties.length === 0 || isOneOf(settings.authorisedParties, party)
}

/** The key set timed out, was invalid or unreachable. */
const isOutage = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error instanceof TypeError ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')

function toVisitor(
  claims: TokenClaims,
  settings: TokenSettings,
  proofOf: ReturnType<typeof buildProofs>,
): SignedIn {
  const name = [claims.name, claims.preferred_username]
    .map((value) => (typeof value === 'string' ? toOneLine(value) : ''))
    .find((value) => value.trim() !== '')
  // Never sanitised: a shortened address may be another person's.
  const email = toClaim(claims.email, EMAIL_MAX_LENGTH)
  const claimed = roleIn(claims, settings)
  const proof = proofOf(claims, levelOf(claimed))
  return {
    sub: claims.sub ?? '',
    name: toClaim(name, NAME_MAX_LENGTH),
    ...(proof.isMfa ? claimed : USER),
    email,
    emailVerified: email !== null && claims.email_verified === true,
    sid: toClaim(claims.sid, SID_MAX_LENGTH),
    issuedAt: claims.iat ?? 0,
    firstStepAt: firstStepIn(claims.authenticators_completed),
    proof,
  }
}

const USER = { role: 'user', owner: false } as const

/** The role the token claims, regardless of the second factor. */
function roleIn(claims: JWTPayload, settings: TokenSettings) {
  if (!isAdmin(claims, settings)) return USER
  const { ownerPath } = settings
  return {
    role: 'admin',
    owner: ownerPath.length === 0 || claimAt(claims, ownerPath) === true,
  } as const
}

/** The claim, if a text column can hold it. */
const toClaim = (claim: unknown, maxLength: number) =>
  typeof claim === 'string' && claim !== '' && claim.length <= maxLength && isOneLine(claim)
    ? claim
    : null

/** Providers send roles as text, a list, or an object with the roles as keys. */
function isAdmin(claims: JWTPayload, { rolePath, adminValues }: TokenSettings) {
  const role = claimAt(claims, rolePath)
  if (Array.isArray(role)) return role.some((value) => isOneOf(adminValues, value))
  if (typeof role === 'object' && role !== null)
    return Object.keys(role).some((key) => isOneOf(adminValues, key))
  return isOneOf(adminValues, role)
}

const claimAt = (claims: JWTPayload, path: string[]) =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    claims,
  )

/** No String() coercion: a list of one would equal its entry. */
const isOneOf = (texts: string[], value: unknown) => texts.some((text) => text === value)

/** Cache of verified tokens by hash until they expire; evicts the oldest. */
function buildTokenCache() {
  const cache = new Map<string, { visitor: SignedIn; until: number }>()
  const keyOf = (token: string) => hash('sha256', token, 'base64')
  return {
    get(token: string) {
      const found = cache.get(keyOf(token))
      return found && found.until > Date.now() ? found.visitor : undefined
    },
    set(token: string, visitor: SignedIn, until: number) {
      setBounded(cache, keyOf(token), { visitor, until }, CACHED_TOKENS_MAX)
    },
  }
}
