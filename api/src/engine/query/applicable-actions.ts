import type { Model } from '@gatehouse/model'
import { and, eq, sql } from 'drizzle-orm'
import { contextOf } from '#platform/site-config.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import type { ReadContext } from './get-record.ts'
import { visible } from './visibility.ts'

type Named = [name: string, action: Model['actions'][string]]

/** Names of the actions that apply to the record now; none in the trash. */
export async function applicableActions(context: ReadContext, id: string, actions: Named[]) {
  if (actions.length === 0) return []
  const { engine, tx, model, caller } = context
  const table = tableOf(engine, model)
  const meaning = { engine, context: contextOf(engine.site), me: caller.visitor?.sub ?? null }
  const columns = actions.map(
    ([name, { when }]) =>
      sql`${when ? toSql(model, table, when, meaning) : sql`true`} as ${sql.identifier(name)}`,
  )
  const where = and(eq(columnOf(table, 'id'), id), visible({ engine, model, table, caller }))
  const [row] = await tx.query(
    sql<Record<string, boolean | null>>`
      select ${sql.join(columns, sql`, `)} from ${table} where ${where}`,
  )
  return actions.map(([name]) => name).filter((name) => row?.[name] === true)
}
