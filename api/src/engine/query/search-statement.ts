import { factsOf, fieldOf, isAddress } from '@gatehouse/model'
import { isNull, or, sql, type SQL } from 'drizzle-orm'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledFor, tableOf } from '#engine/engine.ts'
import { phoneKey, uniqueKey } from '#engine/indexes.ts'
import type { Table } from '#engine/build-tables.ts'
import type { ListParams } from './keyset.ts'
import { labelled } from './labels.ts'
import {
  orderBy,
  readRows,
  scanPage,
  searchCondition,
  sortKeys,
  type ListRequest,
  type RowSource,
} from './list-statement.ts'
import { hitsOf, underNameOf } from './rare-words.ts'
import { numberIn, phoneDigitsIn, type ComparedFields } from './search-term.ts'
import { deferred, escapeLike } from './statement-cache.ts'

/** Records whose sortable text or email address is the term: its index finds them even if the term has too many other hits. */
const EXACT_TEXTS_MAX = sql.raw('100')

export type SearchRow = RecordRow & { $isExact: boolean }

/**
 * Records of one model for a term: exact matches, then other hits; a record may be both. Each part is a page of the model's list,
 * so that its rules of visibility apply.
 */
export function searchStatement(request: ListRequest, compared: ComparedFields): SQL<SearchRow> {
  const { engine, model, query } = request
  const table = tableOf(engine, model)
  const pageIn = (source: RowSource) => scanPage(request, source)
  const hit = hitCondition(table, compared)
  const exact = exactRows(request, table, compared)
  const parts = [
    ...(hit
      ? [{ cte: hitsOf(table, hit), page: readRows(request, hit, pageIn), isExact: sql`false` }]
      : []),
    ...(exact
      ? [
          {
            cte: sql`exact as materialized (${exact})`,
            page: pageIn({ from: underNameOf(table, 'exact'), filters: [] }),
            isExact: sql`true`,
          },
        ]
      : []),
  ]
  const pages = parts.map(
    ({ page, isExact }) => sql`select *, ${isExact} as "$isExact" from (${page}) part`,
  )
  const ctes = [
    ...parts.map(({ cte }) => cte),
    sql`page as materialized (${sql.join(pages, sql` union all `)})`,
  ]
  const { columns, joins } = labelled(request, compiledFor(request).list.fields)
  const keys = sortKeys(query).map((key) => sql`page.${key}`)
  return sql<SearchRow>`with ${sql.join(ctes, sql`, `)} select ${columns}, page."$isExact" from page ${joins}
    order by page."$isExact" desc, page."$rank", ${orderBy(query, keys)}`
}

function hitCondition(table: Table, { texts, phones }: ComparedFields) {
  const found = phones.map((name) => sql`${phoneKey(columnOf(table, name))} like ${PHONE}`)
  return or(...(texts.length > 0 ? [searchCondition(table, texts)] : []), ...found)
}

/** Rows whose unique field, number or short text is the term, whoever may see them; some twice. */
function exactRows(
  { model }: ListRequest,
  table: Table,
  { numbers, keys, emails, texts }: ComparedFields,
): SQL | null {
  const fields = (names: string[]) =>
    names.flatMap((name) => {
      const field = fieldOf(model, name)
      return field ? [{ field, column: columnOf(table, name) }] : []
    })
  const isTerm = ({ column, field }: ReturnType<typeof fields>[number]) =>
    isAddress(field)
      ? sql`${uniqueKey(column, field)} = ${uniqueKey(TERM, field)}`
      : sql`${column} = any(${TERM_VARIANTS}::text[])`
  const short = fields(texts).filter(({ field }) => !factsOf(field.type).text?.isLong)
  const unique = or(
    ...fields(numbers).map(({ column }) => sql`${column} = ${NUMBER}`),
    ...fields(keys).map(isTerm),
  )
  const sorted = or(...short.filter(({ field }) => field.sortable && !isAddress(field)).map(isTerm))
  const text = or(...short.map(({ column }) => sql`${column} ilike ${ESCAPED_TERM}`))
  // The indexes hold live rows only.
  const live = isNull(columnOf(table, 'deletedAt'))
  const rows = sql`select ${table}.* from ${table} where ${live}`
  const parts = [
    ...(unique ? [sql`(${rows} and (${unique}))`] : []),
    ...(sorted ? [sql`(${rows} and (${sorted}) limit ${EXACT_TEXTS_MAX})`] : []),
    ...fields(emails).map(
      (one) =>
        sql`(${rows} and ${isTerm(one)} order by ${columnOf(table, 'id')} desc limit ${EXACT_TEXTS_MAX})`,
    ),
    ...(text ? [sql`(select * from ${underNameOf(table, 'hits')} where ${text})`] : []),
  ]
  return parts.length > 0 ? sql.join(parts, sql` union all `) : null
}

const termOf = ({ query }: ListParams) => query.search ?? ''
const TERM = sql`${deferred(termOf)}::text`
/** The indexes of texts distinguish case. */
const TERM_VARIANTS = deferred((params: ListParams) => {
  const term = termOf(params)
  return [...new Set([term, term.toUpperCase(), term.toLowerCase()])]
})
const ESCAPED_TERM = deferred((params: ListParams) => escapeLike(termOf(params)))
const NUMBER = sql`${deferred((params: ListParams) => numberIn(termOf(params)))}::integer`
const PHONE = deferred((params: ListParams) => `%${phoneDigitsIn(termOf(params))}%`)
