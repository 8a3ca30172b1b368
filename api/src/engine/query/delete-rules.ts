import { sql, type SQL } from 'drizzle-orm'
import type { IdRow } from '#platform/db.ts'
import { contextOf } from '#platform/site-config.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import type { ReadContext } from './get-record.ts'

/** SQL: whether the model's `deleteOnly` rule allows deleting a row today; null without a rule. */
function isDeletable({ engine, model, caller }: Omit<ReadContext, 'tx'>): SQL | null {
  if (!model.deleteOnly) return null
  return toSql(model, tableOf(engine, model), model.deleteOnly.when, {
    engine,
    context: contextOf(engine.site),
    me: caller.visitor?.sub ?? null,
  })
}

export async function undeletable(context: ReadContext, ids: string[]) {
  const { engine, tx, model } = context
  const may = isDeletable(context)
  if (!may || ids.length === 0) return []
  const table = tableOf(engine, model)
  const rows = await tx.query(
    sql<IdRow>`select ${columnOf(table, 'id')} as id from ${table}
      where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[]) and ${may}`,
  )
  const deletable = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !deletable.has(id))
}
