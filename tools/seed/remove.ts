import { fieldsOf, type Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { models } from '../../api/src/installation.ts'
import type { Db, Runner } from '../../api/src/platform/db.ts'
import { columnName } from '../../api/src/engine/table-names.ts'
import { buildTables } from '../../api/src/engine/build-tables.ts'
import { writePurge } from '../../api/src/engine/operations/purge.ts'
import { SEED_LOCK } from './write.ts'

/**
 * Deletes the sample records and their revisions, with an audit event each. Keeps samples that a real record depends on, such
 * as a client with a real contract. Returns both counts.
 */
export const removeSamples = (db: Db) =>
  db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    let removed = 0
    for (;;) {
      const before = removed
      // In reverse, because models mostly refer to earlier ones; repeated for those that don't.
      for (const model of models.toReversed())
        removed += await removeRows(tx, model, sql`t.sample and ${isUnreferenced(model)}`)
      if (removed === before) break
    }
    return { removed, kept: await countSamples(tx) }
  })

async function removeRows(tx: Runner, model: Model, where: SQL): Promise<number> {
  const rows = await tx.query(sql`select t.id from ${tableOf(model)} t where ${where}`)
  if (rows.length === 0) return 0
  const gone = rows.map((row) => String(row['id']))
  const ids = sql`any(${sql.param(gone)}::uuid[])`
  let removed = rows.length
  // ON DELETE CASCADE would delete these, but not their revisions.
  for (const { from, column } of referrersOf(model, 'cascade'))
    removed += await removeRows(tx, from, sql`t.${column} = ${ids}`)
  await tx.query(sql`delete from ${tableOf(model)} t where t.id = ${ids}`)
  const actor = { ref: null, kind: 'system' } as const
  await writePurge(tx, { model: model.path, ids: gone, actor, requestId: 'seed' })
  return removed
}

const isUnreferenced = (model: Model) =>
  sql.join(
    [
      sql`true`,
      ...referrersOf(model, 'restrict').map(
        ({ from, column }) =>
          sql`not exists (select 1 from ${tableOf(from)} r where r.${column} = t.id)`,
      ),
    ],
    sql` and `,
  )

async function countSamples(tx: Runner) {
  const counts = models.map((model) => sql`(select count(*) from ${tableOf(model)} where sample)`)
  const [row] = await tx.query(sql`select ${sql.join(counts, sql` + `)} as count`)
  return Number(row?.['count'])
}

const referrersOf = (to: Model, onDelete: 'restrict' | 'cascade') =>
  models.flatMap((from) =>
    fieldsOf(from)
      .filter(([, field]) => field.to === to.path && field.onDelete === onDelete)
      .map(([name]) => ({ from, column: sql.identifier(columnName(from, name)) })),
  )

const tables = buildTables(models)

function tableOf(model: Model) {
  const table = tables.get(model.path)
  if (!table) throw new Error(`No table for the model "${model.path}"`)
  return table
}
