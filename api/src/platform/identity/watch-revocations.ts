import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { openListenConnection } from '#platform/pg-notify/listen-connection.ts'
import type { Revocation, Revocations } from './revocations.ts'
import { REVOCATIONS_CHANNEL } from './revoke.ts'
import { REVOCATION_HOURS } from './session-life.ts'
import { revocations as table } from './revocation-tables.ts'

/** Advisory lock of the replica that reads the provider's log. */
const READER_LOCK = 'identity reader'
/** Re-read at each poll: transactions may commit out of order. */
const OVERLAP = `interval '30 seconds'`
const EVERYTHING = `interval '${REVOCATION_HOURS} hours'`

type PollRow = { isReader: boolean; revoked: Revocation[] }

type Options = {
  databaseUrl: string
  revocations: Revocations
  canRead: boolean
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Listens for revocations of all replicas, and elects the replica that reads the provider's log. One statement per poll; the
 * lock ends with the connection, so that another replica takes over.
 */
export function watchRevocations({ databaseUrl, revocations, canRead, logger }: Options) {
  let isReader = false
  let markLoaded = () => {}
  const loaded = new Promise<void>((resolve) => {
    markLoaded = resolve
  })
  const connection = openListenConnection<PollRow>({
    databaseUrl,
    channel: REVOCATIONS_CHANNEL,
    query: ({ isNew }) => {
      const span = sql.raw(isNew ? EVERYTHING : OVERLAP)
      const lock = sql`pg_try_advisory_lock(hashtextextended(${READER_LOCK}, 0))`
      return sql<PollRow>`select ${!canRead ? sql`false` : isReader ? sql`true` : lock} as "isReader",
        (select coalesce(json_agg(json_build_object('sub', sub, 'sid', sid,
            'notBefore', not_before, 'endsSessions', ends_sessions, 'sparedSid', spared_sid)), '[]')
          from ${table} where noted_at > now() - ${span}) as revoked`
    },
    onRow: (row) => {
      ;({ isReader } = row)
      revocations.add(row.revoked)
      markLoaded()
    },
    onLost: () => {
      isReader = false
    },
    logger,
  })
  return { loaded, isReader: () => isReader, stop: connection.stop }
}
