import type { SecurityEvent } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Runner } from '#platform/db.ts'
import { insertRows, toRow, type SecurityRow } from './store-events.ts'

declare module 'fastify' {
  interface FastifyInstance {
    securityLog: SecurityLog
  }
}

/** An event is written within a second of its response. */
const FLUSH_MS = 500
const RETRY_MS = 1_000
const BATCH_MAX = 500
/** Buffer while the database is unavailable; overflow is dropped and its count logged. */
const BUFFERED_MAX = 5_000
/** Cached keys of recorded events, so that a loop of rejections takes no statement each. */
const RECENT_KEYS_MAX = 5_000

type SecurityLog = ReturnType<typeof buildSecurityLog>

type Options = { db: Runner; logger: Pick<FastifyBaseLogger, 'warn'>; waitingMax?: number }

/** Writes events in batches in the background: requests neither wait for it nor fail with it. */
export function buildSecurityLog({ db, logger, waitingMax = BUFFERED_MAX }: Options) {
  let waiting: SecurityRow[] = []
  let lost = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  const told = new Set<string>()

  const schedule = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = null
      writing = writing.then(write)
    }, ms).unref()
  }

  async function write() {
    const batch = waiting.slice(0, BATCH_MAX)
    if (batch.length === 0) return
    try {
      await insertRows(db, batch)
      waiting = waiting.slice(batch.length)
      if (lost > 0)
        logger.warn({ lost }, 'dropped security events while the database was unavailable')
      lost = 0
      if (waiting.length > 0) schedule(0)
    } catch (error) {
      logger.warn(
        { err: error, waiting: waiting.length },
        'failed to write security events; retrying',
      )
      schedule(RETRY_MS)
    }
  }

  return {
    record(event: SecurityEvent) {
      if (event.once !== undefined && isTold(`${event.kind} ${event.once}`)) return
      if (waiting.length >= waitingMax) lost++
      else waiting.push(toRow(event))
      schedule(FLUSH_MS)
    },
    /** Flushes buffered events, with one attempt per batch. */
    async close() {
      if (timer) clearTimeout(timer)
      await writing
      for (let left = Infinity; waiting.length > 0 && waiting.length < left;) {
        left = waiting.length
        await write()
      }
      if (timer) clearTimeout(timer)
    },
  }

  function isTold(key: string) {
    if (told.has(key)) return true
    told.add(key)
    const oldest = told.size > RECENT_KEYS_MAX ? told.values().next().value : undefined
    if (oldest !== undefined) told.delete(oldest)
    return false
  }
}
