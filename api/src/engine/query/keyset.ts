import { fieldOf, type Model } from '@gatehouse/model'
import { and, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isOwnOrder } from '#engine/indexes.ts'
import type { Table } from '#engine/build-tables.ts'
import { columnOf } from '#engine/engine.ts'
import type { ListQuery } from './list-query.ts'
import { columnValues } from './column-values.ts'
import { deferred, type StatementParams } from './statement-cache.ts'

export type ListParams = StatementParams & { query: ListQuery }

/** A segment of the sort order that one index scan serves: its rank, its rows and its keys. */
type Segment = { rank: number; where: SQL | undefined; keys: PgColumn[] }

/** A page before a cursor is scanned backwards and reversed afterwards. */
export const scansDescending = ({ sort, cursor }: ListQuery) =>
  sort.isDescending !== (cursor?.isBackward ?? false)

/**
 * The segments in order: values, then nulls (or the reverse when descending). Nulls can't take part in a row comparison.
 */
export function segments(model: Model, table: Table, query: ListQuery): Segment[] {
  const { cursor } = query
  const { field } = query.sort
  const id = columnOf(table, 'id')
  const isDescending = scansDescending(query)
  const compare = sql.raw(isDescending ? '<' : '>')
  const afterId = cursor ? sql`${id} ${compare} ${CURSOR_ID}` : undefined
  if (field === 'id') return [{ rank: 0, where: afterId, keys: [id] }]

  const column = columnOf(table, field)
  const sortField = fieldOf(model, field)
  // In the trash, values may repeat.
  if (query.rows === 'live' && sortField && isOwnOrder(sortField, column)) {
    const after = cursor ? sql`${column} ${compare} ${cursorValue(model, query)}` : undefined
    return [{ rank: 0, where: after, keys: [column] }]
  }
  const isOnValue = cursor !== null && cursor.value !== null
  const afterValue = isOnValue
    ? sql`(${column}, ${id}) ${compare} (${cursorValue(model, query)}, ${CURSOR_ID})`
    : undefined
  const keys = [column, id]
  if (column.notNull) return [{ rank: 0, where: afterValue, keys }]

  const values = { rank: 0, where: and(sql`${column} is not null`, afterValue), keys }
  const isOnEmpty = cursor !== null && !isOnValue
  const empties = {
    rank: isDescending ? -1 : 1,
    where: and(sql`${column} is null`, isOnEmpty ? afterId : undefined),
    keys,
  }
  const inOrder = isDescending ? [empties, values] : [values, empties]
  // Segments wholly before the cursor are skipped.
  return inOrder.slice(cursor === null ? 0 : inOrder.indexOf(isOnValue ? values : empties))
}

/** Whether one index covers both the owner and the sort field. */
export const hasOwnerIndex = (model: Model, { sort }: ListQuery) =>
  sort.field === 'id' || Boolean(fieldOf(model, sort.field)?.scopedSort)

/** Rows with one value in a column: an owner's, or a select option. */
export type Range = { column: PgColumn; value: string | Placeholder }

/**
 * The segment of a range. Written with `>=` and `<=`, not `=`, so that only an index led by the column provides the order:
 * otherwise PostgreSQL may scan all owners' rows, assuming an even distribution.
 */
export function rangeSegment(
  model: Model,
  table: Table,
  query: ListQuery,
  { column, value }: Range,
): Segment {
  const { cursor, sort } = query
  const keys = [column, ...(sort.field === 'id' ? [] : [columnOf(table, sort.field)])]
  const cursorKeys = [sql`${value}`, ...(sort.field === 'id' ? [] : [cursorValue(model, query)])]
  const id = columnOf(table, 'id')
  const [compare, end] = scansDescending(query) ? ['<', '>='] : ['>', '<=']
  const after = cursor
    ? sql`(${list([...keys, id])}) ${sql.raw(compare)} (${list([...cursorKeys, CURSOR_ID])})`
    : sql`${column} ${sql.raw(`${compare}=`)} ${value}`
  const where = and(after, sql`${column} ${sql.raw(end)} ${value}`)
  return { rank: 0, where, keys: [...keys, id] }
}

const list = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)

const CURSOR_ID = sql`${deferred(({ query }: ListParams) => query.cursor?.id)}::uuid`
const CURSOR_VALUE = deferred(({ query }: ListParams) => query.cursor?.value)

const cursorValue = (model: Model, { sort }: ListQuery) =>
  sql`${CURSOR_VALUE}::${sql.raw(sqlTypeOf(model, sort.field))}`

function sqlTypeOf(model: Model, name: string) {
  const field = fieldOf(model, name)
  if (!field) throw new Error(`"${name}" is not a field of ${model.path}`)
  return columnValues(field).sqlType
}
