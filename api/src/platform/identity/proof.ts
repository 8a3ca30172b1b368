import { isStaff, type Access } from '@gatehouse/model'
import type { TokenSettings } from '#platform/env.ts'

/** How long a proof of identity counts as fresh. */
const FRESH_S = 600
/** Allowed clock skew to the identity provider. */
const CLOCK_TOLERANCE_S = 5

/** How someone has signed in, as far as the token tells (`acr`, `auth_time`; not `amr`, which passkeys don't show in). */
export type Proof = {
  /** The level they reach once they have proven enough. */
  claimed: Access
  /** Whether the second factor that staff need was given; always true for everyone else. */
  isMfa: boolean
  /** Until when they count as having just proven who they are, in milliseconds. */
  freshUntil: number
  /** When they proved it, in seconds, if they were asked to; it tells one proof from the next. */
  steppedUpAt: number | null
  /** What to ask for in place of this sign-in (RFC 9470). */
  asks: { mfa: string; fresh: string }
}

/** Reads the proof from a token. An unknown `acr` proves nothing. */
export function buildProofs({ acr, isMfaRequired }: Pick<TokenSettings, 'acr' | 'isMfaRequired'>) {
  const asks = isMfaRequired
    ? {
        mfa: `acr_values="${acr.mfa}"`,
        fresh: `acr_values="${acr.fresh}", max_age="${FRESH_S}"`,
      }
    : { mfa: '', fresh: `max_age="${FRESH_S}"` }
  return (claims: { acr?: unknown; auth_time?: unknown }, claimed: Access): Proof => ({
    claimed,
    isMfa:
      !isStaff(claimed) || !isMfaRequired || claims.acr === acr.mfa || claims.acr === acr.fresh,
    freshUntil: isMfaRequired && claims.acr !== acr.fresh ? 0 : freshUntil(claims.auth_time),
    steppedUpAt:
      claims.acr === acr.fresh && typeof claims.auth_time === 'number' ? claims.auth_time : null,
    asks,
  })
}

/** A refreshed token keeps its `acr`, so that only the time of the sign-in tells. One in the future is nobody's. */
function freshUntil(authTime: unknown) {
  if (typeof authTime !== 'number' || !Number.isFinite(authTime)) return 0
  const isFuture = authTime > Date.now() / 1000 + CLOCK_TOLERANCE_S
  return isFuture ? 0 : (authTime + FRESH_S) * 1000
}

/** Keycloak's note of a session: when each step of the sign-in was last done, by the id of the step. */
export function firstStepIn(steps: unknown) {
  if (typeof steps !== 'object' || steps === null) return null
  const times = Object.values(steps).filter((time) => typeof time === 'number')
  return times.length > 0 ? Math.min(...times) : null
}
