import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { buildInterruptibleSleep } from './interruptible-sleep.ts'

/** Between two beats: how long a lost notification, or a replica that has died, goes unnoticed. */
const POLL_INTERVAL_MS = 4_000
const RECONNECT_MS = 1_000
const TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 2_800 }

type Options<Row> = {
  databaseUrl: string
  /** Where PostgreSQL notifies. */
  channel: string
  /** Asked at the start, after each notification, and at each beat. `isNew`: on a connection that may have missed some. */
  ask: (state: { isNew: boolean }) => SQL<Row>
  onRow: (row: Row) => void
  /** The connection is gone, and with it the locks it held. */
  onLost?: () => void
  logger: Pick<FastifyBaseLogger, 'warn'>
}

const dialect = new PgDialect()

/** A connection that stays open: it hears notifications, and may hold a lock that only one replica can have. */
export function openListenConnection<Row>(options: Options<Row>) {
  const { databaseUrl, channel, ask, onRow, onLost, logger } = options
  const stopping = new AbortController()
  const alarm = buildInterruptibleSleep(stopping.signal)
  const running = run()

  async function run() {
    while (!stopping.signal.aborted) {
      try {
        await stayConnected()
      } catch (error) {
        onLost?.()
        logger.warn({ err: error }, 'notifications not heard, will connect again')
        await alarm.pause(RECONNECT_MS)
      }
    }
  }

  async function stayConnected() {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'gatehouse notifications',
      keepAlive: true,
      ...TIMEOUTS,
    })
    let lost: Error | null = null
    client.on('error', (error) => {
      lost = error
      alarm.wake()
    })
    client.on('notification', () => alarm.wake())
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      for (let isNew = true; !stopping.signal.aborted; isNew = false) {
        if (lost) throw lost
        const { sql: text, params } = dialect.sqlToQuery(ask({ isNew }))
        const { rows } = await client.query(text, params)
        onRow(rows[0] as Row)
        await alarm.pause(POLL_INTERVAL_MS)
      }
    } finally {
      await client.end().catch(() => {})
    }
  }

  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
