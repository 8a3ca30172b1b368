import {
  conditionsOf,
  factsOf,
  fieldOf,
  isCondition,
  PAGE_SIZE,
  partsOf,
  type Filter,
  type Model,
} from '@gatehouse/model'
import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CountRow, CompiledStatement } from '#platform/db.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import type { Table } from '#engine/build-tables.ts'
import type { Caller } from '#engine/caller.ts'
import { columnOf, compiledFor, tableOf, type Engine } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import { sortKey, type ListQuery } from './list-query.ts'
import {
  scansDescending,
  hasOwnerIndex,
  rangeSegment,
  segments,
  type ListParams,
  type Range,
} from './keyset.ts'
import { selectionOf } from './computed-columns.ts'
import { labelled } from './labels.ts'
import {
  withDeferredClaims,
  DEFERRED_BINDING,
  bindFor,
  escapeLike,
  cachedStatement,
  callerShape,
  deferred,
} from './statement-cache.ts'
import { byHits, hitsOf, underNameOf } from './rare-words.ts'
import { COUNT_MAX } from './totals.ts'
import { targetIsVisible, visibleParts } from './visibility.ts'

export type ListRequest = { engine: Engine; model: Model; caller: Caller; query: ListQuery }

/** A row of a page, with the total if the page alone doesn't determine it. */
export type PageRow = RecordRow & { $total?: number | null }

type Build<R> = (request: ListRequest) => SQL<R>

/** A list's statement, cached by everything its SQL depends on. */
export function cachedListStatement<R>(
  kind: string,
  request: ListRequest,
  build: Build<R>,
): CompiledStatement<R> {
  const { model, caller, query } = request
  const { rows, sort, cursor, filter, search, total } = query
  const cursorShape = cursor && [cursor.isBackward, cursor.value === null]
  const filters = [filter && shapeOf(filter), search !== null, total]
  const cacheKey = [
    kind,
    model.path,
    callerShape(caller),
    rows,
    sortKey(sort),
    cursorShape,
    filters,
    hasDefaultLimit(query),
  ]
  return cachedStatement(
    { ...request, at: new Date() },
    {
      key: JSON.stringify(cacheKey),
      build: () => build({ ...request, caller: withDeferredClaims(caller) }),
      // Each connection stores the plan of a named statement. Others are planned with their values, which partial indexes need.
      isNamed: hasDefaultLimit(query) && cursor === null && filter === null && search === null,
    },
  )
}

/** The filter without its values. */
const shapeOf = (filter: Filter): unknown => [
  'all' in filter,
  partsOf(filter).map((part) => {
    if (!isCondition(part)) return shapeOf(part)
    const [name, operator, value] = part
    return [name, operator, operator === 'empty' && value]
  }),
]

/** Literal in the SQL: the planner would estimate a parameter as a tenth of the table. */
const hasDefaultLimit = ({ limit }: ListQuery) => limit === PAGE_SIZE

/** One more than the page, to detect a next page. */
const limitOf = (query: ListQuery) =>
  hasDefaultLimit(query)
    ? sql.raw(`${PAGE_SIZE + 1}`)
    : sql`${deferred(({ query: { limit } }: ListParams) => limit + 1)}`

/** A list in one statement: the page, the labels of its relations, and the total unless the first page is the only one. */
export function listStatement(request: ListRequest): SQL<PageRow> {
  const { query } = request
  const { columns, joins } = labelled(
    { ...request, rows: query.rows },
    compiledFor(request).list.fields,
  )
  const keys = sortKeys(query).map((key) => sql`page.${key}`)
  const count = countOf(request)
  const total = query.cursor
    ? sql`(${count})`
    : sql`case when (select count(*) from page) = ${limitOf(query)} then (${count}) end`
  return sql<PageRow>`with ${sql.join([...hitsIn(request), sql`page as materialized (${pageOf(request)})`], sql`, `)}
    select ${columns}${query.total === 'none' ? sql`` : sql`, ${total} as "$total"`}
    from page ${joins} order by page."$rank", ${orderBy(query, keys)}`
}

/** Rows a page is taken from: the table, or a CTE under its name, and conditions besides visibility. */
export type RowSource = { from: SQLWrapper; filters: SQL[] }

export const pageStatement = (request: ListRequest) =>
  withHits(
    request,
    sql<RecordRow>`select * from (${pageOf(request)}) page order by "$rank", ${orderBy(request.query, sortKeys(request.query))}`,
  )

const pageOf = (request: ListRequest) =>
  readRows(request, searchOf(request), (source) => scanPage(request, source))

const hitsIn = (request: ListRequest) => {
  const searched = searchOf(request)
  return searched ? [hitsOf(tableOf(request.engine, request.model), searched)] : []
}

const withHits = <R>(request: ListRequest, statement: SQL<R>): SQL<R> => {
  const [hits] = hitsIn(request)
  return hits ? sql<R>`with ${hits} ${statement}` : statement
}

/** Rows of the table; if something is searched for, of the hits, provided that they are complete. */
export function readRows<R>(
  request: ListRequest,
  searched: SQL | null,
  build: (source: RowSource) => SQL<R>,
): SQL<R> {
  const table = tableOf(request.engine, request.model)
  const filters = filterOf(request)
  if (!searched) return build({ from: table, filters })
  return byHits(
    build({ from: underNameOf(table, 'hits'), filters }),
    build({ from: table, filters: [...filters, searched] }),
  )
}

/** The statement of a page: one limited index scan per kind of ownership and per segment of the order, merged. */
export function scanPage(request: ListRequest, source: RowSource): SQL<RecordRow> {
  const { engine, model, caller, query } = request
  const table = tableOf(engine, model)
  const { rows } = query
  const { today } = DEFERRED_BINDING
  const columns = selectionOf({ engine, model, table, today }, compiledFor(request).list, rows)
  const limit = limitOf(query)
  const parts = visibleParts({ engine, model, table, caller, rows, binding: DEFERRED_BINDING })
  const chosen = parts.every(({ ownershipRule }) => 'when' in ownershipRule)
    ? selectValueRange(request)
    : null
  const filters = chosen ? [] : source.filters
  const scans = parts.flatMap(({ ownershipRule, allowed, where }) => {
    const isOwnedScan = 'column' in ownershipRule && hasOwnerIndex(model, query)
    const range = isOwnedScan ? ownershipRule : chosen
    const scanned = range
      ? [rangeSegment(model, table, query, range)]
      : segments(model, table, query)
    const mine = isOwnedScan ? allowed : where
    return scanned.map(
      (segment) => sql<RecordRow>`
        select ${columns}, ${sql.raw(`${segment.rank}`)} as "$rank" from ${source.from}
        where ${and(mine, segment.where, ...filters)} order by ${orderBy(query, segment.keys)} limit ${limit}`,
    )
  })
  const [only] = scans
  if (scans.length === 1 && only) return only
  const merged = sql.join(
    scans.map((scan) => sql`(${scan})`),
    sql` union all `,
  )
  const keys = sortKeys(query)
  // A row that matches two ownership rules is found by two scans. Deduplicating here is free; excluding it in the second scan
  // would mean reading everything the first one found.
  const distinct =
    parts.length === 1 ? sql`` : sql`distinct on ("$rank", ${sql.join(keys, sql`, `)})`
  return sql<RecordRow>`select ${distinct} * from (${merged}) merged order by "$rank", ${orderBy(query, keys)} limit ${limit}`
}

/**
 * The range of one indexed select option, newest first. With `=`, PostgreSQL might scan all live records instead, past
 * newer ones with other values.
 */
function selectValueRange({ engine, model, query }: ListRequest): Range | null {
  const [only, ...more] = query.filter ? partsOf(query.filter) : []
  if (!only || !isCondition(only) || more.length > 0 || query.search !== null) return null
  if (query.sort.field !== 'id' || query.rows !== 'live') return null
  const [name, operator] = only
  const field = fieldOf(model, name)
  if (operator !== 'eq' || !field?.sortable || factsOf(field.type).options !== 'one') return null
  return { column: columnOf(tableOf(engine, model), name), value: bindFilter().bind() }
}

export const sortKeys = ({ sort }: ListQuery) =>
  [...new Set([sort.field, 'id'])].map((name) => sql.identifier(name))

export const orderBy = (query: ListQuery, keys: SQLWrapper[]) =>
  sql.join(
    keys.map((key) => sql`${key} ${sql.raw(scansDescending(query) ? 'desc' : 'asc')}`),
    sql`, `,
  )

export const countStatement = (request: ListRequest) => withHits(request, countOf(request))

const countOf = (request: ListRequest) =>
  readRows(request, searchOf(request), (source) => countRows(request, source))

function countRows(request: ListRequest, { from, filters }: RowSource): SQL<CountRow> {
  const { engine, model, caller, query } = request
  const table = tableOf(engine, model)
  const isExact = query.total === 'exact'
  const limit = isExact ? sql`` : sql`limit ${COUNT_CAP}`
  const view = { engine, model, table, caller, rows: query.rows, binding: DEFERRED_BINDING }
  const scans = visibleParts(view).map(
    ({ where }) => sql`(select id from ${from} where ${and(where, ...filters)} ${limit})`,
  )
  const all = sql<CountRow>`select count(*) as count from (${sql.join(scans, sql` union `)}) counted`
  if (isExact || scans.length === 1) return all
  // If one scan reaches the cap, the merge, which compares ids, is skipped.
  const full = scans.map(
    (scan) => sql`when (select count(*) from ${scan} scan) = ${COUNT_CAP} then ${COUNT_CAP}`,
  )
  return sql<CountRow>`select case ${sql.join(full, sql` `)} else (${all}) end as count`
}

const COUNT_CAP = sql.raw(`${COUNT_MAX}`)

function filterOf({ engine, model, caller, query }: ListRequest): SQL[] {
  if (!query.filter) return []
  const table = tableOf(engine, model)
  const view = { engine, model, table, caller, binding: DEFERRED_BINDING }
  const leadsToVisible = (relation: string) => targetIsVisible(view, relation)
  return [toSql(model, table, query.filter, { engine, ...bindFilter(), leadsToVisible })]
}

const searchOf = (request: ListRequest) =>
  request.query.search === null
    ? null
    : searchCondition(tableOf(request.engine, request.model), compiledFor(request).searched)

/** Deferred parameters for the filter's values: each execution reads its own, in the order of the conditions. */
function bindFilter() {
  let next = 0
  const bind = () => {
    const index = next++
    return deferred((request: ListParams) => {
      const condition = conditionsOf(request.query.filter ?? { all: [] })[index]
      return condition && bindFor(request).bind(condition)
    })
  }
  return { ...DEFERRED_BINDING, bind }
}

export const searchCondition = (table: Table, names: string[]) =>
  or(...names.map((name) => sql`${columnOf(table, name)} ilike ${SEARCHED}`)) ?? sql`false`

const SEARCHED = deferred(({ query }: ListParams) => `%${escapeLike(query.search ?? '')}%`)
