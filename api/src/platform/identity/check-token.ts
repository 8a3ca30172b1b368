import type { FastifyBaseLogger } from 'fastify'
import { setBounded } from '#platform/lru-map.ts'
import type { Directory } from './directory.ts'
import type { IssuedToken, Revocations } from './revocations.ts'

/** Minimum interval between attempts to end the same session at the provider. */
const END_INTERVAL_MS = 60_000
const RECENT_MAX = 1_000

type Options = {
  revocations: Pick<Revocations, 'refusalOf'>
  directory: Pick<Directory, 'endSession'> | null
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Whether a token is revoked. A revoked session that still issues tokens is ended at the provider again; otherwise sign-ins
 * would resume it without a password, and be rejected here each time.
 */
export function buildTokenCheck({ revocations, directory, logger }: Options) {
  const recent = new Map<string, number>()

  function endAgain(sid: string) {
    if (Date.now() - (recent.get(sid) ?? 0) < END_INTERVAL_MS) return
    setBounded(recent, sid, Date.now(), RECENT_MAX)
    directory?.endSession(sid).catch((error: unknown) => {
      recent.delete(sid)
      logger.warn({ err: error }, 'failed to end a revoked session at the identity provider')
    })
  }

  return (token: IssuedToken) => {
    const refusal = revocations.refusalOf(token)
    if (refusal === 'revived' && token.sid !== null) endAgain(token.sid)
    return refusal !== null
  }
}
