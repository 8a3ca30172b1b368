import { one } from '#platform/db.ts'
import { compiledFor } from '#engine/engine.ts'
import { toCursor, type ListQuery } from './list-query.ts'
import { countStatement, pageStatement, type ListRequest } from './statement.ts'
import { withLabels, type ReadContext } from './read.ts'

/** Totals are capped here; shown as "1,000+". */
const TOTAL_CAP = 1_000

/** A page of records by keyset pagination: the same cost at any depth. */
export async function listRecords(context: ReadContext, query: ListQuery) {
  const { engine, model, caller, tx } = context
  const rows = await tx.query(
    pageStatement({ engine, model, caller, query }),
    preparedIfPlain(query),
  )
  const isFull = rows.length > query.limit
  const page = rows.slice(0, query.limit)
  if (query.cursor?.isBackward) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasNext = query.cursor?.isBackward ? true : isFull
  const hasPrevious = query.cursor?.isBackward ? isFull : query.cursor !== null
  const isWhole = query.cursor === null && !isFull
  return {
    items: await withLabels(context, page, compiledFor(context).list.fields),
    next: hasNext && last ? toCursor(query, last) : null,
    previous: hasPrevious && first ? toCursor(query, first) : null,
    total:
      isWhole && query.total !== 'none'
        ? { count: page.length, exact: true }
        : await countRecords(context, query),
  }
}

export async function countRecords({ engine, model, caller, tx }: ReadContext, query: ListQuery) {
  if (query.total === 'none') return null
  const asked = { engine, model, caller, query }
  const isExact = query.total === 'exact'
  const statement = isExact ? countStatement(asked, null) : cappedCount(asked)
  const { count } = one(await tx.query(statement, preparedIfPlain(query)))
  return isExact ? { count, exact: true } : toTotal(count)
}

export const cappedCount = (asked: ListRequest) => countStatement(asked, TOTAL_CAP + 1)

/** A capped count as a total. */
export const toTotal = (count: number) =>
  count <= TOTAL_CAP ? { count, exact: true } : { count: TOTAL_CAP, exact: false }

/** Named statements only for unfiltered lists; others would bloat the plan cache. */
const preparedIfPlain = (query: ListQuery) =>
  query.filter === null && query.search === null ? ('prepared' as const) : undefined
