import { sql } from 'drizzle-orm'
import type { IdRow } from '#platform/db.ts'
import { contextOf } from '#platform/site-config.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import type { ReadContext } from './read.ts'

/** Ids of those records that the model's `deleteOnly` rule protects today. */
export async function undeletable({ engine, tx, model, caller }: ReadContext, ids: string[]) {
  if (!model.deleteOnly || ids.length === 0) return []
  const table = tableOf(engine, model)
  const may = toSql(model, table, model.deleteOnly.when, {
    engine,
    context: contextOf(engine.site),
    me: caller.visitor?.sub ?? null,
  })
  const rows = await tx.query(
    sql<IdRow>`select ${columnOf(table, 'id')} as id from ${table}
      where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[]) and ${may}`,
  )
  const deletable = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !deletable.has(id))
}
