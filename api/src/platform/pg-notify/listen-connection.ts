import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { buildInterruptibleSleep } from './interruptible-sleep.ts'

/** Maximum delay until a lost notification or a dead replica is noticed. */
const POLL_INTERVAL_MS = 4_000
const RECONNECT_MS = 1_000
const TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 2_800 }

type Options<Row> = {
  databaseUrl: string
  channel: string
  /** Query run on connect, after each notification and at each poll. `isNew`: the connection may have missed notifications. */
  query: (state: { isNew: boolean }) => SQL<Row>
  onRow: (row: Row) => void
  /** Called when the connection, and the locks it held, are lost. */
  onLost?: () => void
  logger: Pick<FastifyBaseLogger, 'warn'>
}

const dialect = new PgDialect()

/** A permanent connection that listens for notifications, and may hold an advisory lock of one replica. */
export function openListenConnection<Row>(options: Options<Row>) {
  const { databaseUrl, channel, query, onRow, onLost, logger } = options
  const stopping = new AbortController()
  const sleep = buildInterruptibleSleep(stopping.signal)
  const running = run()

  async function run() {
    while (!stopping.signal.aborted) {
      try {
        await stayConnected()
      } catch (error) {
        onLost?.()
        logger.warn({ err: error }, 'LISTEN connection lost; reconnecting')
        await sleep.pause(RECONNECT_MS)
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
      sleep.wake()
    })
    client.on('notification', () => sleep.wake())
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      for (let isNew = true; !stopping.signal.aborted; isNew = false) {
        if (lost) throw lost
        const { sql: text, params } = dialect.sqlToQuery(query({ isNew }))
        const { rows } = await client.query(text, params)
        onRow(rows[0] as Row)
        await sleep.pause(POLL_INTERVAL_MS)
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
