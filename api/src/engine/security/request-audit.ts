import {
  conditionsOf,
  fieldOf,
  fieldsOf,
  isStaff,
  matches,
  type Access,
  type Condition,
  type Model,
  type SecurityEvent,
} from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ListQuery } from '#engine/query/list-query.ts'
import type { Row } from '#platform/db.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { routeOf } from '#platform/http/resource.ts'
import { isUuid } from '#platform/uuid.ts'

const MINUTE_MS = 60_000

/** Records what all routes have in common: new proofs of identity, and refusals of people we know. */
export function auditRequests(app: FastifyInstance, models: Model[]) {
  // In onSend: onResponse doesn't run for a caller who hangs up.
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    const { visitor } = request
    if (visitor && visitor.proof.steppedUpAt !== null) app.securityLog.record(stepUp(visitor))
    // With a visitor, 401 asks for a better sign-in.
    if (visitor && (statusCode === 401 || statusCode === 403))
      app.securityLog.record({
        ...refusal(visitor, request),
        outcome: statusCode === 401 ? 'proof' : 'forbidden',
        ...recordRefOf(request, models),
      })
    done()
  })
}

/** Tokens are renewed with the same time of proof. */
const stepUp = ({ sub, sid, proof }: SignedIn): SecurityEvent => ({
  kind: 'step-up',
  actor: { sub },
  sid,
  once: `${sub} ${proof.steppedUpAt}`,
})

/** A loop of refused requests is one event a minute. */
const refusal = ({ sub, sid }: SignedIn, request: FastifyRequest): SecurityEvent<'denied'> => ({
  kind: 'denied',
  actor: { sub },
  sid,
  once: `${sub} ${request.method} ${routeOf(request)} ${Math.floor(Date.now() / MINUTE_MS)}`,
})

function recordRefOf({ params }: FastifyRequest, models: Model[]) {
  const { model: name, id } = (params ?? {}) as { model?: string; id?: string }
  const model = models.find(({ path, routeName }) => path === name || routeName === name)
  return {
    ...(model ? { model: model.path } : {}),
    ...(model && id !== undefined && isUuid(id) ? { record: id } : {}),
  }
}

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

type RecordRead = { request: FastifyRequest; model: Model; level: Access }

/** Someone of the staff was sent a record. */
export function recordRead(reading: RecordRead, record: Row & { id: string }) {
  if (isStaff(reading.level) && isGuarded(reading.model, record)) note(reading, record.id)
}

/** A page of a list is one event, and of the messages of one ticket an event of that ticket. */
export function recordListRead(reading: RecordRead, query: ListQuery, items: Row[]) {
  const { model, level } = reading
  if (!isStaff(level)) return
  if (items.some((item) => isGuarded(model, item)) || asksFor(model, query))
    note(reading, undefined, parentIn(model, query))
}

/** Earlier values count as the record's own. */
export function recordFieldReads(reading: RecordRead, id: string, names: string[]) {
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
  { request, model }: RecordRead,
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
