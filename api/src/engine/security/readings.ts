import {
  conditionsOf,
  fieldOf,
  fieldsOf,
  isStaff,
  matches,
  type Access,
  type Condition,
  type Model,
} from '@gatehouse/model'
import type { FastifyRequest } from 'fastify'
import type { Row } from '#platform/db.ts'
import type { ListQuery } from '#engine/query/list-query.ts'

/** What only staff see of people in a model: fields, and rows such as internal messages. Both follow from its definition. */
type Guarded = { fields: ReadonlySet<string>; rows: Condition[] }

const known = new WeakMap<Model, Guarded>()

function guardedOf(model: Model): Guarded {
  const found = known.get(model) ?? findGuarded(model)
  known.set(model, found)
  return found
}

function findGuarded(model: Model): Guarded {
  const personal = fieldsOf(model).filter(([, { privacy }]) => privacy.personal)
  const isHidden = (name: string) => isStaff(fieldOf(model, name)?.visibleTo ?? 'public')
  return {
    fields: new Set(personal.map(([name]) => name).filter(isHidden)),
    // Rows that a field for staff alone takes out of everyone else's sight.
    rows:
      personal.length === 0
        ? []
        : conditionsOf(model.publicFilter ?? { all: [] }).filter(([name]) => isHidden(name)),
  }
}

type Reading = { request: FastifyRequest; model: Model; level: Access }

/** Someone of the staff was sent a record. */
export function noteRecord(reading: Reading, record: Row & { id: string }) {
  if (isStaff(reading.level) && isGuarded(reading.model, record)) note(reading, record.id)
}

/** A page of a list is one event, and of the messages of one ticket an event of that ticket. */
export function noteList(reading: Reading, query: ListQuery, items: Row[]) {
  const { model, level } = reading
  if (!isStaff(level)) return
  if (items.some((item) => isGuarded(model, item)) || asksFor(model, query))
    note(reading, undefined, parentIn(model, query))
}

/** Earlier values count as the record's own. */
export function noteFields(reading: Reading, id: string, names: string[]) {
  const { fields, rows } = guardedOf(reading.model)
  if (!isStaff(reading.level)) return
  if (names.some((name) => fields.has(name)) || (rows.length > 0 && names.length > 0))
    note(reading, id)
}

/** Nothing was read where nothing is written. */
function isGuarded(model: Model, record: Row) {
  const { fields, rows } = guardedOf(model)
  const isHidden = rows.length > 0 && !matches({ all: rows }, record, { ...TIMELESS, ...model })
  return isHidden || [...fields].some((name) => (record[name] ?? '') !== '')
}

/** Such rows don't come and go with the hour. */
const TIMELESS = { context: { today: '', now: '' }, me: null }

/** A search or a filter tells what is in a field that the answer doesn't show. */
function asksFor(model: Model, { filter, search, sort }: ListQuery) {
  const { fields } = guardedOf(model)
  const isSearched = ([name, { searchable }]: [string, { searchable?: boolean }]) =>
    Boolean(searchable) && fields.has(name)
  return (
    fields.has(sort.field) ||
    conditionsOf(filter ?? { all: [] }).some(([name]) => fields.has(name)) ||
    (search !== null && fieldsOf(model).some(isSearched))
  )
}

/** The record that a list is the part of, if it asks for one alone. */
function parentIn({ rowScope, fields }: Model, { filter }: ListQuery) {
  const via = rowScope && 'via' in rowScope ? rowScope.via : null
  if (via === null || !filter || !('all' in filter)) return null
  const pinned = conditionsOf({ all: filter.all.filter((part) => Array.isArray(part)) }).find(
    ([name, operator]) => name === via && operator === 'eq',
  )
  const model = fields[via]?.to
  return pinned && model && typeof pinned[2] === 'string' ? { model, record: pinned[2] } : null
}

const DAY_LENGTH = '2026-01-01'.length

/** Once a day, person and record: on any replica, by the key. Written after the answer. */
function note(
  { request, model }: Reading,
  record: string | undefined,
  parent: { model: string; record: string } | null = null,
) {
  const { visitor } = request
  if (!visitor) return
  const place = parent ?? { model: model.path, ...(record === undefined ? {} : { record }) }
  const day = new Date().toISOString().slice(0, DAY_LENGTH)
  request.server.securityLog.record({
    kind: 'read',
    actor: { sub: visitor.sub },
    sid: visitor.sid,
    ...place,
    once: `${day} ${visitor.sub} ${place.model} ${place.record ?? ''}`,
  })
}
