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

type Options = { db: Runner; logger: Pick<FastifyBaseLogger, 'warn'>; bufferedMax?: number }

/** Writes events in batches in the background: requests neither wait for it nor fail with it. */
export function buildSecurityLog({ db, logger, bufferedMax = BUFFERED_MAX }: Options) {
  let buffered: SecurityRow[] = []
  let lost = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  const recentKeys = new Set<string>()

  const schedule = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = null
      writing = writing.then(write)
    }, ms).unref()
  }

  async function write() {
    const batch = buffered.slice(0, BATCH_MAX)
    if (batch.length === 0) return
    try {
      await insertRows(db, batch)
      buffered = buffered.slice(batch.length)
      if (lost > 0)
        logger.warn({ lost }, 'dropped security events while the database was unavailable')
      lost = 0
      if (buffered.length > 0) schedule(0)
    } catch (error) {
      logger.warn(
        { err: error, buffered: buffered.length },
        'failed to write security events; retrying',
      )
      schedule(RETRY_MS)
    }
  }

  return {
    record(event: SecurityEvent) {
      if (event.once !== undefined && isRepeated(`${event.kind} ${event.once}`)) return
      if (buffered.length >= bufferedMax) lost++
      else buffered.push(toRow(event))
      schedule(FLUSH_MS)
    },
    /** Flushes buffered events, with one attempt per batch. */
    async close() {
      if (timer) clearTimeout(timer)
      await writing
      for (let left = Infinity; buffered.length > 0 && buffered.length < left;) {
        left = buffered.length
        await write()
      }
      if (timer) clearTimeout(timer)
    },
  }

  function isRepeated(key: string) {
    if (recentKeys.has(key)) return true
    recentKeys.add(key)
    const oldest = recentKeys.size > RECENT_KEYS_MAX ? recentKeys.values().next().value : undefined
    if (oldest !== undefined) recentKeys.delete(oldest)
    return false
  }
}
