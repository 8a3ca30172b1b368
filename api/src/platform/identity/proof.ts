import { isStaff, type Access } from '@gatehouse/model'
import type { TokenSettings } from '#platform/env.ts'

const FRESH_S = 600
const CLOCK_TOLERANCE_S = 5

/** How the visitor signed in, from `acr` and `auth_time`. Not from `amr`, which omits passkeys. */
export type Proof = {
  /** Access level after sufficient authentication. */
  claimed: Access
  /** Whether the second factor required of staff was given; always true for other visitors. */
  isMfa: boolean
  /** In milliseconds. */
  freshUntil: number
  /** Time of the step-up in seconds, null without one; identifies the proof. */
  steppedUpAt: number | null
  /** Challenge parameters for a stronger sign-in (RFC 9470). */
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

/** By `auth_time`, because a refreshed token keeps its `acr`. A time in the future is never fresh. */
function freshUntil(authTime: unknown) {
  if (typeof authTime !== 'number' || !Number.isFinite(authTime)) return 0
  const isFuture = authTime > Date.now() / 1000 + CLOCK_TOLERANCE_S
  return isFuture ? 0 : (authTime + FRESH_S) * 1000
}

/** Earliest time in Keycloak's claim `authenticators_completed`, which maps step IDs to seconds. */
export function firstStepIn(steps: unknown) {
  if (typeof steps !== 'object' || steps === null) return null
  const times = Object.values(steps).filter((time) => typeof time === 'number')
  return times.length > 0 ? Math.min(...times) : null
}
