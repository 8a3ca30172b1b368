import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { openListenConnection } from '#platform/pg-notify/listen-connection.ts'
import type { Revocation, Revocations } from './revocations.ts'
import { REVOCATIONS_CHANNEL } from './revoke.ts'
import { REVOCATION_HOURS } from './session-life.ts'
import { revocations as table } from './revocation-tables.ts'

/** Which replica reads the provider's log. */
const READER_LOCK = 'identity reader'
/** Read again at each beat: a transaction may commit later than one that began after it. */
const OVERLAP = `interval '30 seconds'`
const EVERYTHING = `interval '${REVOCATION_HOURS} hours'`

type Answer = { isReader: boolean; revoked: Revocation[] }

type Options = {
  databaseUrl: string
  revocations: Revocations
  /** Whether this replica may read the provider's log. */
  canRead: boolean
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Hears of revocations from every replica, and finds out whether this one is to read the provider's log. One statement a beat;
 * the lock is gone with the connection, so that another replica takes over.
 */
export function watchRevocations({ databaseUrl, revocations, canRead, logger }: Options) {
  let isReader = false
  let heard = () => {}
  const loaded = new Promise<void>((resolve) => {
    heard = resolve
  })
  const standing = openListenConnection<Answer>({
    databaseUrl,
    channel: REVOCATIONS_CHANNEL,
    ask: ({ isNew }) => {
      const span = sql.raw(isNew ? EVERYTHING : OVERLAP)
      const lock = sql`pg_try_advisory_lock(hashtextextended(${READER_LOCK}, 0))`
      return sql<Answer>`select ${!canRead ? sql`false` : isReader ? sql`true` : lock} as "isReader",
        (select coalesce(json_agg(json_build_object('sub', sub, 'sid', sid,
            'notBefore', not_before, 'endsSessions', ends_sessions, 'sparedSid', spared_sid)), '[]')
          from ${table} where noted_at > now() - ${span}) as revoked`
    },
    onRow: (answer) => {
      ;({ isReader } = answer)
      revocations.add(answer.revoked)
      heard()
    },
    onLost: () => {
      isReader = false
    },
    logger,
  })
  return { loaded, isReader: () => isReader, stop: standing.stop }
}
