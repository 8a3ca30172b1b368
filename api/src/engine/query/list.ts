import { onlyRow } from '#platform/db.ts'
import { toCursor, type ListQuery } from './list-query.ts'
import type { ReadContext } from './get-record.ts'
import { countStatement, listStatement, cachedListStatement } from './list-statement.ts'
import { COUNT_MAX, exceedsCapByEstimate, toTotal } from './totals.ts'

/** A page of records by keyset pagination: the same cost at any depth. */
export async function listRecords(context: ReadContext, query: ListQuery) {
  const { engine, model, caller, tx } = context
  const isMany = exceedsCapByEstimate({ engine, model, caller, query })
  const statementQuery = isMany ? { ...query, total: 'none' as const } : query
  const rows = await tx.query(
    cachedListStatement('list', { engine, model, caller, query: statementQuery }, listStatement),
  )
  const isFull = rows.length > query.limit
  const page = rows.slice(0, query.limit)
  if (query.cursor?.isBackward) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasNext = query.cursor?.isBackward ? true : isFull
  const hasPrevious = query.cursor?.isBackward ? isFull : query.cursor !== null
  const isWhole = query.cursor === null && !isFull
  const counted = isMany ? COUNT_MAX : (first?.$total ?? null)
  return {
    items: page,
    next: hasNext && last ? toCursor(query, last) : null,
    previous: hasPrevious && first ? toCursor(query, first) : null,
    total:
      isWhole && query.total !== 'none'
        ? { count: page.length, exact: true }
        : await totalOf(context, query, counted),
  }
}

export const countRecords = (context: ReadContext, query: ListQuery) =>
  totalOf(context, query, null)

/** Counts separately if no row of the page carries the total. */
async function totalOf(
  { engine, model, caller, tx }: ReadContext,
  query: ListQuery,
  counted: number | null,
) {
  if (query.total === 'none') return null
  const request = { engine, model, caller, query }
  const count =
    counted ?? onlyRow(await tx.query(cachedListStatement('count', request, countStatement))).count
  return query.total === 'exact' ? { count, exact: true } : toTotal(count)
}
