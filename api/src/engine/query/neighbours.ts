import type { JsonSchema } from '@gatehouse/model'
import { eq, sql } from 'drizzle-orm'
import { recordNotFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import type { ListQuery } from './list-query.ts'
import { cachedListStatement, pageStatement } from './list-statement.ts'
import type { ReadContext } from './get-record.ts'
import { visible } from './visibility.ts'

const ID: JsonSchema = { type: ['string', 'null'], format: 'uuid' }

export const NEIGHBOURS_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { previous: ID, next: ID },
  required: ['previous', 'next'],
}

/**
 * The records before and after one in a list. Its position is a cursor like any other, so this costs about a page; it
 * works even if the list no longer contains the record.
 */
export async function neighboursOf(context: ReadContext, id: string, query: ListQuery) {
  const value = await sortValueOf(context, id, query)
  const beside = async (isBackward: boolean) => {
    const { engine, model, caller, tx } = context
    const neighbour: ListQuery = { ...query, limit: 1, cursor: { value, id, isBackward } }
    const [row] = await tx.query(
      cachedListStatement('page', { engine, model, caller, query: neighbour }, pageStatement),
    )
    return row?.id ?? null
  }
  return { previous: await beside(true), next: await beside(false) }
}

async function sortValueOf(
  { engine, tx, model, caller }: ReadContext,
  id: string,
  query: ListQuery,
) {
  if (!isUuid(id)) throw recordNotFound()
  const table = tableOf(engine, model)
  const column = columnOf(table, query.sort.field)
  const [row] = await tx.query(
    sql<{ value: unknown }>`select ${column} as value from ${table}
      where ${eq(columnOf(table, 'id'), id)}
      and ${visible({ engine, model, table, caller, rows: query.rows })}`,
  )
  if (!row) throw recordNotFound()
  return query.sort.field === 'id' ? null : row.value
}
