import {
  fieldOf,
  PAGE_SIZE,
  SEARCH_MAX_LENGTH,
  SEARCH_MIN_LENGTH,
  type Filter,
  type JsonSchema,
  type Model,
  queryMessages,
} from '@gatehouse/model'
import { invalidQuery, unusableQuery } from '#platform/errors.ts'
import type { Caller } from '#engine/caller.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { compiledFor, type Engine } from '#engine/engine.ts'
import { isUuid } from '#platform/uuid.ts'
import { columnValues } from './column-values.ts'
import { readFilter } from './filter.ts'
import { rejectUnknownParams } from './reject-unknown-params.ts'

export const PAGE_SIZE_MAX = 100
const CURSOR_MAX_LENGTH = 2_000

/** Opaque: only the server can check whether it belongs to this list. */
export const CURSOR_SCHEMA: JsonSchema = {
  type: 'string',
  maxLength: CURSOR_MAX_LENGTH,
  pattern: '^[A-Za-z0-9_-]+$',
}
/** Trimmed, it is empty or has at least three characters. */
export const SEARCH_SCHEMA: JsonSchema = {
  type: 'string',
  maxLength: SEARCH_MAX_LENGTH,
  pattern: String.raw`^\s*([^\s\u0000][^\u0000]{${SEARCH_MIN_LENGTH - 2},}[^\s\u0000]\s*)?$`,
}

type Sort = { field: string; isDescending: boolean }

export type ListQuery = {
  limit: number
  rows: 'live' | 'trash'
  sort: Sort
  cursor: { value: unknown; id: string; isBackward: boolean } | null
  filter: Filter | null
  search: string | null
  total: 'capped' | 'exact' | 'none'
}

type ListRequest = { engine: Engine; model: Model; caller: Caller }

/** Parses a list's query string. */
export function readListQuery(query: Record<string, unknown>, request: ListRequest): ListQuery {
  rejectUnknownParams(query)
  const { model, caller } = request
  const one = (name: string) => readOnce(query, name)
  const { sorts, searched } = compiledFor(request)
  const sort = readSort(one('sort') ?? model.defaultSort, sorts)
  const filter = one('filter')
  return {
    limit: readLimit(one('limit')),
    rows: readTrash(one('trash')),
    sort,
    cursor: readCursor(one('after'), one('before'), sort, model),
    // `""` is how a JSON serialiser sends an empty filter.
    filter: filter === null || filter === '""' ? null : readFilter(filter, model, caller.level),
    search: readSearch(one('q'), searched),
    total: readTotal(one('total')),
  }
}

/** A parameter's value; null if it is absent or empty. */
export function readOnce(query: Record<string, unknown>, name: string): string | null {
  const value = query[name]
  if (value === undefined || value === '') return null
  if (typeof value !== 'string') throw invalidQuery(queryMessages.once(name))
  if (value.includes('\0')) throw invalidQuery(queryMessages.invalidCharacters(name))
  return value
}

export const toCursor = ({ sort }: ListQuery, row: RecordRow) =>
  Buffer.from(
    JSON.stringify([sortKey(sort), sort.field === 'id' ? null : row[sort.field], row.id]),
  ).toString('base64url')

export const sortKey = ({ field, isDescending }: Sort) => (isDescending ? `-${field}` : field)

function readSort(text: string | null, sorts: ReadonlySet<string>): Sort {
  if (text === null) return { field: 'id', isDescending: true }
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  if (!sorts.has(name)) throw invalidQuery(queryMessages.notSortable(name))
  return { field: name, isDescending }
}

function readLimit(text: string | null) {
  const limit = text === null ? PAGE_SIZE : Number(text)
  if (!/^\d{1,3}$/.test(text ?? '1') || limit < 1 || limit > PAGE_SIZE_MAX)
    throw invalidQuery(queryMessages.limit(PAGE_SIZE_MAX))
  return limit
}

/** Whether the trash is requested, which needs the right to delete. */
export function readTrash(text: unknown): 'live' | 'trash' {
  if (text === undefined || text === null || text === '' || text === 'false') return 'live'
  if (text === 'true') return 'trash'
  throw invalidQuery(queryMessages.trueOrFalse('trash'))
}

function readSearch(text: string | null, searched: string[]) {
  const search = text?.trim() ?? ''
  const isTooLong = text !== null && lengthOf(text) > SEARCH_MAX_LENGTH
  if (search === '' && !isTooLong) return null
  if (isTooLong || lengthOf(search) < SEARCH_MIN_LENGTH)
    throw invalidQuery(queryMessages.searchLength(SEARCH_MIN_LENGTH, SEARCH_MAX_LENGTH))
  if (searched.length === 0) throw invalidQuery(queryMessages.notSearchable)
  return search
}

/** In code points, as JSON Schema counts, not UTF-16 units. */
export const lengthOf = (text: string) => Array.from(text).length

function readTotal(text: string | null): ListQuery['total'] {
  if (text === null || text === 'capped') return 'capped'
  if (text === 'exact' || text === 'none') return text
  throw invalidQuery(queryMessages.total)
}

function readCursor(after: string | null, before: string | null, sort: Sort, model: Model) {
  for (const text of [after, before])
    if (text !== null && !isCursor(text)) throw invalidQuery(queryMessages.invalidCursor)
  if (after !== null && before !== null) throw unusableQuery(queryMessages.oneCursor)
  const text = after ?? before
  if (text === null) return null
  const [key, value, id] = parseCursor(text)
  if (
    key !== sortKey(sort) ||
    typeof id !== 'string' ||
    !isUuid(id) ||
    !isCursorValue(value, sort, model)
  )
    throw unusableQuery(queryMessages.otherCursor)
  return { value, id, isBackward: before !== null }
}

const isCursor = (text: string) => text.length <= CURSOR_MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(text)

function parseCursor(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Cursors are untrusted: the value must fit the column. */
function isCursorValue(value: unknown, sort: Sort, model: Model) {
  if (value === null) return true
  const field = fieldOf(model, sort.field)
  return field !== undefined && columnValues(field).isStored(value)
}
