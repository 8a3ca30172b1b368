import type { Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Actor } from '#engine/history/audit-trail.ts'
import type { Runner, IdRow } from '#platform/db.ts'
import { isConnectionLost, LOCK_NOT_AVAILABLE } from '#platform/database-errors.ts'
import { HttpError } from '#platform/errors.ts'
import { purges } from '#engine/write/write-tables.ts'
import { SYSTEM } from '#engine/caller.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { addRefusal, purgeStep, type PurgeContext } from './purge.ts'
import { findLocked } from '#engine/write/save.ts'

const RETENTION_DAYS = 30
const BATCH = 100
/** Well below the queue's expiry, after which another worker would start. */
const RUN_MAX_MS = 120_000
const POLL_INTERVAL_MS = 3_600_000
/** Short: user requests take precedence, and other records are waiting. */
const LOCK_TIMEOUT = '500ms'

type Logger = Pick<FastifyBaseLogger, 'warn'>

export function buildTrashPurger(engine: Engine, { runMaxMs = RUN_MAX_MS } = {}) {
  const { db } = engine
  const models = engine.models.filter(({ without }) => !without.includes('delete'))
  /** Resume positions of unfinished runs, by model. */
  const resumeAfter = new Map<string, string>()
  let nextPollAt = 0

  /** Models with something to purge. Polled every second, queries once an hour. */
  async function due() {
    if (resumeAfter.size > 0) return [...resumeAfter.keys()]
    if (Date.now() < nextPollAt) return []
    const queries = models.map(
      (model) =>
        sql`select ${model.path} as path where exists (select 1 from ${tableOf(engine, model)} where ${IS_EXPIRED})`,
    )
    const rows = await db.query(sql<{ path: string }>`${sql.join(queries, sql` union all `)}`)
    nextPollAt = Date.now() + POLL_INTERVAL_MS
    return rows.map(({ path }) => path)
  }

  /** Purges each record in its own transaction; a rejected one is left for the next run. */
  async function empty(path: string, logger: Logger) {
    const model = modelOf(engine, path)
    const end = Date.now() + runMaxMs
    await clearOldRefusals(engine, model)
    for (;;) {
      const rows = await db.query(
        sql<IdRow>`select id from ${tableOf(engine, model)} where ${IS_EXPIRED} and id > ${resumeAfter.get(path) ?? NO_ID}
          order by id limit ${BATCH}`,
      )
      for (const { id } of rows) {
        const isDone = await purgeExpired(engine, { model, id, end }).catch((error: unknown) =>
          recordFailure(db, { model: path, id, error, logger }),
        )
        resumeAfter.set(path, isDone ? id : (resumeAfter.get(path) ?? NO_ID))
        if (Date.now() > end) return
      }
      if (rows.length < BATCH) break
    }
    resumeAfter.delete(path)
  }

  return { due, empty }
}

const IS_EXPIRED = sql.raw(
  `deleted_at < now() - interval '${RETENTION_DAYS} days' and restricted_at is null`,
)
const NO_ID = '00000000-0000-0000-0000-000000000000'
const SYSTEM_ACTOR: Actor = { ref: null, kind: 'system' }

type ExpiredRecord = { model: Model; id: string; end: number }

/** False if time ran out before all links were removed. */
async function purgeExpired(engine: Engine, { model, id, end }: ExpiredRecord) {
  const shared = { engine, model, caller: SYSTEM, actor: SYSTEM_ACTOR, requestId: 'empty-trash' }
  let isDone = false
  do
    isDone = await engine.db.transaction(async (tx) => {
      await tx.query(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`))
      const write: PurgeContext = { ...shared, tx, rows: 'trash' }
      // May have been purged with its parent, or restored, since the batch was read.
      const root = await findLocked(write, id, 'delete')
      return root === null || purgeStep(write, root)
    })
  while (!isDone && Date.now() < end)
  return isDone
}

type FailedPurge = { model: string; id: string; error: unknown; logger: Logger }

async function recordFailure(db: Runner, { model, id, error, logger }: FailedPurge) {
  if (isConnectionLost(error)) throw error
  const reason = reasonOf(error)
  await addRefusal(db, { model, id }, reason)
  logger.warn(
    { model, id, reason, ...(reason === 'error' ? { err: error } : {}) },
    'failed to purge record; retrying in the next run',
  )
  return true
}

function reasonOf(error: unknown) {
  if (!(error instanceof HttpError)) return 'error'
  const { cause, code } = error
  const isLocked = cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE
  return isLocked ? 'locked' : code
}

/** Deletes failures of records that were restored or purged since. */
const clearOldRefusals = (engine: Engine, model: Model) =>
  engine.db.query(
    sql`delete from ${purges} where model = ${model.path}
      and record_id not in (select id from ${tableOf(engine, model)} where ${IS_EXPIRED})`,
  )
