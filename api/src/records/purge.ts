import type { Model } from '@gatehouse/model'
import { eq, sql } from 'drizzle-orm'
import { writePurge, type Actor } from '#audit.ts'
import type { Runner } from '#db.ts'
import { conflict, HttpError } from '#errors.ts'
import { findLocked, lockRecord, type Changing } from './change.ts'
import { columnOf, modelOf, SERVER, tableOf, type Engine } from './engine.ts'
import { referrersOf } from './referrers.ts'
import { CASCADE_MAX, tooManyChildren } from './trash.ts'

/** So long can what was deleted be restored. */
const KEPT_DAYS = 30
const BATCH = 100
/** Well before the queue gives the work to another. */
const EMPTYING_MAX_MS = 120_000
const LOOK_EVERY_MS = 3_600_000

/** Deletes for good what is in the trash. */
export async function purgeRecord(changing: Changing, id: string) {
  await lockRecord({ ...changing, rows: 'trash' }, id, 'delete')
  await purge(changing, id)
}

/** What has been in the trash for 30 days, for the job that empties it. */
export function buildTrash(engine: Engine) {
  const { db } = engine
  const models = engine.models.filter(({ without }) => !without.includes('delete'))
  let nextLook = 0

  /** Models with something to purge. Asked every second, looks every hour: days do not pass faster. */
  async function due() {
    if (Date.now() < nextLook) return []
    const questions = models.map(
      (model) =>
        sql`select ${model.path} as path where exists (select 1 from ${tableOf(engine, model)} where ${OVERDUE})`,
    )
    const rows = await db.query(sql.join(questions, sql` union all `))
    nextLook = Date.now() + LOOK_EVERY_MS
    return rows.map(({ path }) => String(path))
  }

  /** Purges batch by batch, record by record. What something in the trash still refers to is left for another day. */
  async function empty(path: string) {
    const model = modelOf(engine, path)
    const end = Date.now() + EMPTYING_MAX_MS
    let last = NO_ID
    while (Date.now() < end) {
      const rows = await db.query(
        sql`select id from ${tableOf(engine, model)} where ${OVERDUE} and id > ${last} order by id limit ${BATCH}`,
      )
      for (const { id } of rows) await purgeOverdue(engine, model, String(id))
      if (rows.length < BATCH) return
      last = String(rows.at(-1)?.['id'])
    }
  }

  return { due, empty }
}

const OVERDUE = sql.raw(`deleted_at < now() - interval '${KEPT_DAYS} days'`)
const NO_ID = '00000000-0000-0000-0000-000000000000'
const SYSTEM: Actor = { ref: null, kind: 'system' }

async function purgeOverdue(engine: Engine, model: Model, id: string) {
  const shared = { engine, model, caller: SERVER, actor: SYSTEM, requestId: 'empty-trash' }
  try {
    await engine.db.transaction(async (tx) => {
      const changing: Changing = { ...shared, tx, operationId: NO_ID, rows: 'trash' }
      // It may have gone with its parent, or have been restored, since the batch was read.
      if (await findLocked(changing, id, 'delete')) await purge(changing, id)
    })
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 409)) throw error
  }
}

async function purge({ engine, tx, model, actor, requestId }: Changing, id: string) {
  const going = await goingWith({ engine, tx }, model, id)
  const table = tableOf(engine, model)
  try {
    await tx.query(sql`delete from ${table} where ${eq(columnOf(table, 'id'), id)}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && STILL_REFERRED_TO.includes(String(error.code)))
      throw conflict('in-use', 'Other records still refer to this record')
    throw error
  }
  for (const [{ path }, ids] of going)
    await writePurge(tx, { model: path, ids: [...ids], actor, requestId })
}

/** PostgreSQL's codes for a foreign key that forbids it, before and since version 18. */
const STILL_REFERRED_TO = ['23503', '23001']

/** The record and all that the database deletes with it, by model: children of children, circles too. */
async function goingWith({ engine, tx }: { engine: Engine; tx: Runner }, model: Model, id: string) {
  const going = new Map([[model, new Set([id])]])
  let found: [Model, string[]][] = [[model, [id]]]
  while (found.length > 0) {
    const next: [Model, string[]][] = []
    for (const [parent, ids] of found)
      for (const referrer of referrersOf(engine, parent, ['cascade'])) {
        const table = tableOf(engine, referrer.model)
        const rows = await tx.query(
          sql`select id, deleted_at from ${table} where ${columnOf(table, referrer.field)} = any(${sql.param(ids)}::uuid[])
            limit ${CASCADE_MAX + 1} for update`,
        )
        if (rows.length > CASCADE_MAX) throw tooManyChildren(referrer.model)
        if (rows.some((row) => row['deleted_at'] === null))
          throw conflict('in-use', `${referrer.model.title} still refer to this record`)
        const known = going.get(referrer.model) ?? new Set()
        const fresh = rows.map((row) => String(row['id'])).filter((one) => !known.has(one))
        going.set(referrer.model, new Set([...known, ...fresh]))
        if (fresh.length > 0) next.push([referrer.model, fresh])
      }
    found = next
  }
  return going
}
