import {
  canSee,
  factsOf,
  fieldOf,
  fieldsOf,
  type Access,
  type Filter,
  type Model,
} from '@gatehouse/model'
import { and, or, sql, type SQL } from 'drizzle-orm'
import type { Row } from '#db.ts'
import { invalidQuery } from '#errors.ts'
import { contextOf } from '#site.ts'
import type { Table } from '#table.ts'
import { columnOf, tableOf, type Caller, type Engine } from './engine.ts'
import { escapeLike, isUuid, readFilter, toSql } from './filter.ts'
import { fieldsInList, present, selection, type Reading } from './read.ts'
import { leadsToVisible, visibleParts } from './scope.ts'

const PAGE_SIZE = 25
export const PAGE_SIZE_MAX = 100
export const SEARCH_MIN_LENGTH = 3
const SEARCH_MAX_LENGTH = 100
/** Counting stops here: people read "1,000+", and nobody waits for it. */
const TOTAL_CAP = 1_000
const CURSOR_MAX_LENGTH = 2_000

export type ListQuery = {
  limit: number
  sort: { field: string; isDescending: boolean }
  /** Where the page before ended, or the page after begins: the value sorted by, and the id. */
  cursor: { value: unknown; id: string; isBackward: boolean } | null
  filter: Filter | null
  search: string | null
  total: 'capped' | 'exact' | 'none'
}

/** A page of records. It costs the same at any depth: a cursor is a place in an index, not a number of rows to skip. */
export async function listRecords(reading: Reading, query: ListQuery) {
  const { engine, model, caller, tx } = reading
  const rows = await tx.query(pageStatement(engine, model, caller, query), isHot(query))
  const isFull = rows.length > query.limit
  const page = rows.slice(0, query.limit)
  if (query.cursor?.isBackward) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasNext = query.cursor?.isBackward ? true : isFull
  const hasPrevious = query.cursor?.isBackward ? isFull : query.cursor !== null
  const isWhole = query.cursor === null && !isFull
  return {
    items: await present(reading, page, fieldsInList(model, caller)),
    next: hasNext && last ? toCursor(query, last) : null,
    previous: hasPrevious && first ? toCursor(query, first) : null,
    total:
      isWhole && query.total !== 'none'
        ? { count: page.length, exact: true }
        : await countRecords(reading, query),
  }
}

/** Reads what a query string asks. What it does not know it leaves alone: the page's own parameters come along. */
export function readListQuery(
  query: Record<string, unknown>,
  model: Model,
  level: Access,
): ListQuery {
  const one = (name: string) => {
    const value = query[name]
    if (value === undefined || value === '') return null
    if (typeof value !== 'string') throw invalidQuery(`${name} may be given once`)
    if (value.includes('\0')) throw invalidQuery(`${name} holds a character that is not allowed`)
    return value
  }
  const sort = readSort(one('sort') ?? model.defaultSort, model, level)
  const filter = one('filter')
  return {
    limit: readLimit(one('limit')),
    sort,
    cursor: readCursor(one('after'), one('before'), sort, model),
    filter: filter === null ? null : readFilter(filter, model, level),
    search: readSearch(one('q'), model, level),
    total: readTotal(one('total')),
  }
}

/** The statement of a page: one limited walk per way of owning a row and per part of the order, then merged. */
export function pageStatement(engine: Engine, model: Model, caller: Caller, query: ListQuery): SQL {
  const table = tableOf(engine, model)
  const columns = selection(table, fieldsInList(model, caller))
  const isDescending = query.sort.isDescending !== (query.cursor?.isBackward ?? false)
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const order =
    query.sort.field === 'id'
      ? sql`${columnOf(table, 'id')} ${direction}`
      : sql`${columnOf(table, query.sort.field)} ${direction}, ${columnOf(table, 'id')} ${direction}`
  const limit = query.limit + 1
  const asked = conditions(engine, model, caller, query)
  const walks = visibleParts({ engine, model, table, caller }).flatMap((part) =>
    segments(model, table, query, isDescending).map(
      ({ rank, where }) => sql`select ${columns}, ${sql.raw(String(rank))} as "rank" from ${table}
        where ${and(part, where, ...asked)} order by ${order} limit ${limit}`,
    ),
  )
  const [only] = walks
  if (walks.length === 1 && only) return only
  const merged = sql.join(
    walks.map((walk) => sql`(${walk})`),
    sql` union all `,
  )
  const by =
    query.sort.field === 'id' ? sql`` : sql`${sql.identifier(query.sort.field)} ${direction}, `
  return sql`select * from (${merged}) merged order by "rank", ${by}id ${direction} limit ${limit}`
}

/** How many there are: up to the cap, unless the exact number is asked for. */
export function countStatement(
  engine: Engine,
  model: Model,
  caller: Caller,
  query: ListQuery,
): SQL {
  const table = tableOf(engine, model)
  const limit = query.total === 'exact' ? sql`` : sql`limit ${TOTAL_CAP + 1}`
  const walks = visibleParts({ engine, model, table, caller }).map(
    (part) =>
      sql`(select 1 from ${table} where ${and(part, ...conditions(engine, model, caller, query))} ${limit})`,
  )
  return sql`select count(*) as count from (${sql.join(walks, sql` union all `)}) counted`
}

async function countRecords({ engine, model, caller, tx }: Reading, query: ListQuery) {
  if (query.total === 'none') return null
  const [row] = await tx.query(countStatement(engine, model, caller, query), isHot(query))
  const count = Number(row?.['count'])
  if (query.total === 'exact' || count <= TOTAL_CAP) return { count, exact: true }
  return { count: TOTAL_CAP, exact: false }
}

/** Filters and searches come in too many shapes to keep each one prepared. */
const isHot = (query: ListQuery) =>
  query.filter === null && query.search === null ? ('prepared' as const) : undefined

function conditions(engine: Engine, model: Model, caller: Caller, query: ListQuery) {
  const table = tableOf(engine, model)
  const view = { engine, model, table, caller }
  return [
    query.filter &&
      toSql(model, table, query.filter, {
        context: contextOf(engine.site),
        me: caller.visitor?.sub ?? null,
        leadsToVisible: (relation) => leadsToVisible(view, relation),
      }),
    query.search && searchCondition(model, table, caller.level, query.search),
  ].filter((condition) => condition !== null && condition !== '')
}

const searchCondition = (model: Model, table: Table, level: Access, text: string) =>
  or(
    ...searchableFields(model, level).map(
      (name) => sql`${columnOf(table, name)} ilike ${`%${escapeLike(text)}%`}`,
    ),
  ) ?? sql`false`

const searchableFields = (model: Model, level: Access) =>
  fieldsOf(model)
    .filter(([, field]) => field.searchable && canSee(field, level))
    .map(([name]) => name)

/**
 * The parts of the order, from first to last, each of which an index serves: values, then the empty ones (or the other
 * way round when descending). Empty values have no place in a row comparison.
 */
function segments(model: Model, table: Table, query: ListQuery, isDescending: boolean) {
  const { field } = query.sort
  const id = columnOf(table, 'id')
  const { cursor } = query
  const compare = sql.raw(isDescending ? '<' : '>')
  if (field === 'id')
    return [{ rank: 0, where: cursor ? sql`${id} ${compare} ${cursor.id}` : undefined }]
  const column = columnOf(table, field)
  const filled = sql`${column} is not null`
  const empty = sql`${column} is null`
  const type = sql.raw(CURSOR_TYPES[factsOf(fieldOf(model, field)?.type ?? 'text').column])
  const afterValue =
    cursor && sql`(${column}, ${id}) ${compare} (${cursor.value}::${type}, ${cursor.id}::uuid)`
  const afterId = cursor && sql`${id} ${compare} ${cursor.id}`
  const isOnValue = cursor !== null && cursor.value !== null
  const values = {
    rank: isDescending ? 1 : 0,
    where: and(filled, isOnValue && afterValue ? afterValue : undefined),
  }
  const empties = {
    rank: isDescending ? 0 : 1,
    where: and(empty, cursor && !isOnValue && afterId ? afterId : undefined),
  }
  if (column.notNull)
    return [{ ...values, where: isOnValue && afterValue ? afterValue : undefined }]
  const inOrder = isDescending ? [empties, values] : [values, empties]
  // What lies wholly before the cursor is not walked again.
  const start = cursor === null ? 0 : inOrder.indexOf(isOnValue ? values : empties)
  return inOrder.slice(start)
}

const CURSOR_TYPES = {
  text: 'text',
  integer: 'integer',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  textArray: 'text[]',
  uuid: 'uuid',
} as const

const toCursor = ({ sort }: ListQuery, row: Row) =>
  Buffer.from(
    JSON.stringify([sortKey(sort), sort.field === 'id' ? null : row[sort.field], row['id']]),
  ).toString('base64url')

const sortKey = ({ field, isDescending }: ListQuery['sort']) => (isDescending ? `-${field}` : field)

function readSort(text: string | null, model: Model, level: Access): ListQuery['sort'] {
  if (text === null) return { field: 'id', isDescending: true }
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  const field = fieldOf(model, name)
  if (!field?.sortable || !canSee(field, level))
    throw invalidQuery(`sort: "${name}" is not a field to sort by`)
  return { field: name, isDescending }
}

function readLimit(text: string | null) {
  const limit = text === null ? PAGE_SIZE : Number(text)
  if (!/^\d{1,3}$/.test(text ?? '1') || limit < 1 || limit > PAGE_SIZE_MAX)
    throw invalidQuery(`limit must be a whole number from 1 to ${PAGE_SIZE_MAX}`)
  return limit
}

function readSearch(text: string | null, model: Model, level: Access) {
  const search = text?.trim() ?? ''
  if (search === '') return null
  if (search.length < SEARCH_MIN_LENGTH || search.length > SEARCH_MAX_LENGTH)
    throw invalidQuery(`q must have ${SEARCH_MIN_LENGTH} to ${SEARCH_MAX_LENGTH} characters`)
  if (searchableFields(model, level).length === 0)
    throw invalidQuery('q: there is nothing to search here')
  return search
}

function readTotal(text: string | null): ListQuery['total'] {
  if (text === null || text === 'capped') return 'capped'
  if (text === 'exact' || text === 'none') return text
  throw invalidQuery('total must be capped, exact or none')
}

function readCursor(
  after: string | null,
  before: string | null,
  sort: ListQuery['sort'],
  model: Model,
) {
  if (after !== null && before !== null) throw invalidQuery('give after or before, not both')
  const text = after ?? before
  if (text === null) return null
  const [key, value, id] = parseCursor(text)
  if (
    key !== sortKey(sort) ||
    typeof id !== 'string' ||
    !isUuid(id) ||
    !isCursorValue(value, sort, model)
  )
    throw invalidQuery('this cursor belongs to another list')
  return { value, id, isBackward: before !== null }
}

function parseCursor(text: string): unknown[] {
  try {
    const parsed: unknown =
      text.length > CURSOR_MAX_LENGTH ? null : JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** A cursor comes back from a stranger: its value must be one the column could hold. */
function isCursorValue(value: unknown, { field }: ListQuery['sort'], model: Model) {
  if (field === 'id') return value === null
  const facts = factsOf(fieldOf(model, field)?.type ?? 'text')
  if (value === null) return true
  if (facts.json === 'integer') return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
  if (facts.json === 'number' || facts.json === 'boolean') return typeof value === facts.json
  if (typeof value !== 'string' || value.includes('\0')) return false
  if (facts.column === 'date')
    return /^(?!0000)\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  if (facts.column === 'timestamp')
    return /^(?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
  return true
}
