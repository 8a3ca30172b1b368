import { createHash } from 'node:crypto'
import { isOneLine, toOneLine, type Visitor } from '@gatehouse/model'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { Env } from '#platform/env.ts'
import { forbidden, invalidToken, keysUnavailable, signInRequired } from '#platform/errors.ts'

/** The clock may differ by this much between us and the identity provider. */
const CLOCK_TOLERANCE_S = 5
const KEYS_RELOAD_MS = 600_000
/** While the identity provider has not answered: it may have started after us. */
const KEYS_RETRY_MS = 15_000
/** Keys are trusted this long without the identity provider confirming them. */
const KEYS_MAX_AGE_MS = 24 * 3_600_000
/** A key we do not know makes us ask, at most this often. */
const KEYS_COOLDOWN_MS = 5_000
const KEYS_TIMEOUT_MS = 3_000
const REMEMBERED_MAX = 5_000
const EMAIL_MAX_LENGTH = 254
const NAME_MAX_LENGTH = 200

/** A visitor as the token describes them. The address counts only where the identity provider has verified it. */
export type SignedIn = NonNullable<Visitor> & { email: string | null; emailVerified: boolean }

export function requireAdmin(visitor: Visitor) {
  if (!visitor) throw signInRequired()
  if (visitor.role !== 'admin') throw forbidden()
}

/**
 * Turns an Authorization header into a visitor. A bad token is the caller's matter (401); a token nobody can judge,
 * because the keys can not be had, is ours (503).
 */
export function buildVerifier(settings: Env['token']) {
  // jose never expires the keys by itself: an outage of the identity provider does not sign everybody out. A timer
  // renews them, an unknown key asks at once, and KEYS_MAX_AGE_MS bounds the trust.
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

  const remembered = rememberTokens()

  async function verify(header: string | undefined): Promise<SignedIn | null> {
    if (header === undefined) return null
    const token = tokenIn(header)
    if (!token) throw invalidToken()
    if (confirmedAt !== 0 && Date.now() - confirmedAt > KEYS_MAX_AGE_MS) throw keysUnavailable()
    const known = remembered.get(token)
    if (known) return known
    const claims = await checkToken(token)
    const visitor = toVisitor(claims, settings)
    remembered.set(token, visitor, (claims.exp ?? 0) * 1000)
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
    verify,
    /** What the last asking for the keys came to, and when they were last had. */
    keys: () => ({ isUp, confirmedAt }),
    close: () => timers.forEach((timer) => clearInterval(timer)),
  }
}

const tokenIn = (header: string) => /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1]

export type Verifier = ReturnType<typeof buildVerifier>

function isForUs(claims: JWTPayload, settings: Env['token']) {
  const party = claims['azp'] ?? claims['client_id']
  // A token bound to a key (DPoP) proves nothing when it arrives without the proof.
  if (claims['cnf'] !== undefined) return false
  if (typeof claims.sub !== 'string' || claims.sub === '' || !isOneLine(claims.sub)) return false
  return settings.authorisedParties.length === 0 || isOneOf(settings.authorisedParties, party)
}

/** The key set did not answer, answered with an error or with something else, or could not be reached. */
const isOutage = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error instanceof TypeError ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')

function toVisitor(claims: JWTPayload, settings: Env['token']): SignedIn {
  const name = [claims['name'], claims['preferred_username']]
    .map((value) => (typeof value === 'string' ? toOneLine(value) : ''))
    .find((value) => value.trim() !== '')
  // Never mended: what is left of an address may be somebody else's.
  const email = toClaim(claims['email'], EMAIL_MAX_LENGTH)
  return {
    sub: claims.sub ?? '',
    name: toClaim(name, NAME_MAX_LENGTH),
    role: isAdmin(claims, settings) ? 'admin' : 'user',
    email,
    emailVerified: email !== null && claims['email_verified'] === true,
  }
}

/** What a text column can hold of a claim. */
const toClaim = (claim: unknown, maxLength: number) =>
  typeof claim === 'string' && claim !== '' && claim.length <= maxLength && isOneLine(claim)
    ? claim
    : null

/** Providers write roles as a text, a list, or an object with the roles as keys. */
function isAdmin(claims: JWTPayload, { rolePath, adminValues }: Env['token']) {
  const role = rolePath.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    claims,
  )
  if (Array.isArray(role)) return role.some((value) => isOneOf(adminValues, value))
  if (typeof role === 'object' && role !== null)
    return Object.keys(role).some((key) => isOneOf(adminValues, key))
  return isOneOf(adminValues, role)
}

/** Never through String(): a list of one text would read like the text. */
const isOneOf = (texts: string[], value: unknown) => texts.some((text) => text === value)

/** Tokens already judged, by their hash and until they expire; the oldest go first when there are too many. */
function rememberTokens() {
  const seen = new Map<string, { visitor: SignedIn; until: number }>()
  const hash = (token: string) => createHash('sha256').update(token).digest('base64')
  return {
    get(token: string) {
      const found = seen.get(hash(token))
      return found && found.until > Date.now() ? found.visitor : undefined
    },
    set(token: string, visitor: SignedIn, until: number) {
      seen.set(hash(token), { visitor, until })
      const oldest = seen.size > REMEMBERED_MAX ? seen.keys().next().value : undefined
      if (oldest !== undefined) seen.delete(oldest)
    },
  }
}
