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

/** Records security events of all routes: step-ups, and rejected requests of signed-in callers. */
export function auditRequests(app: FastifyInstance, models: Model[]) {
  // In onSend: onResponse doesn't run if the client disconnects.
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    const { visitor } = request
    if (visitor && visitor.proof.steppedUpAt !== null) app.securityLog.record(stepUp(visitor))
    // With a visitor, 401 requests a stronger sign-in.
    if (visitor && (statusCode === 401 || statusCode === 403))
      app.securityLog.record({
        ...denial(visitor, request),
        outcome: statusCode === 401 ? 'proof' : 'forbidden',
        ...recordRefOf(request, models),
      })
    done()
  })
}

/** Once per proof: renewed tokens keep its time. */
const stepUp = ({ sub, sid, proof }: SignedIn): SecurityEvent => ({
  kind: 'step-up',
  actor: { sub },
  sid,
  once: `${sub} ${proof.steppedUpAt}`,
})

/** A loop of rejected requests is one event a minute. */
const denial = ({ sub, sid }: SignedIn, request: FastifyRequest): SecurityEvent<'denied'> => ({
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

/** A model's personal data that only staff see: fields, and rows such as internal messages. */
type Guarded = { fields: ReadonlySet<string>; rows: Condition[] }

const guardedByModel = new WeakMap<Model, Guarded>()

function guardedOf(model: Model): Guarded {
  const found = guardedByModel.get(model) ?? findGuarded(model)
  guardedByModel.set(model, found)
  return found
}

function findGuarded(model: Model): Guarded {
  const personal = fieldsOf(model).filter(([, { privacy }]) => privacy.personal)
  const isHidden = (name: string) => isStaff(fieldOf(model, name)?.visibleTo ?? 'public')
  return {
    fields: new Set(personal.map(([name]) => name).filter(isHidden)),
    rows:
      personal.length === 0
        ? []
        : conditionsOf(model.publicFilter ?? { all: [] }).filter(([name]) => isHidden(name)),
  }
}

type RecordRead = { request: FastifyRequest; model: Model; level: Access }

export function recordRead(read: RecordRead, record: Row & { id: string }) {
  if (isStaff(read.level) && hasStaffOnlyData(read.model, record)) logRead(read, record.id)
}

/** One event per page; a page of one ticket's messages is an event of that ticket. */
export function recordListRead(read: RecordRead, query: ListQuery, items: Row[]) {
  const { model, level } = read
  if (!isStaff(level)) return
  if (items.some((item) => hasStaffOnlyData(model, item)) || queriesGuarded(model, query))
    logRead(read, undefined, parentIn(model, query))
}

/** A search reveals values of every field it compares, even if it finds nothing. */
export function recordSearch(read: RecordRead, compared: string[], items: Row[]) {
  const { fields } = guardedOf(read.model)
  if (!isStaff(read.level)) return
  if (
    compared.some((name) => fields.has(name)) ||
    items.some((item) => hasStaffOnlyData(read.model, item))
  )
    logRead(read, undefined)
}

/** Past values count like current ones. */
export function recordFieldReads(read: RecordRead, id: string, names: string[]) {
  const { fields, rows } = guardedOf(read.model)
  if (!isStaff(read.level)) return
  if (names.some((name) => fields.has(name)) || (rows.length > 0 && names.length > 0))
    logRead(read, id)
}

/** Empty values don't count as read. */
function hasStaffOnlyData(model: Model, record: Row) {
  const { fields, rows } = guardedOf(model)
  const isHidden = rows.length > 0 && !matches({ all: rows }, record, { ...TIMELESS, ...model })
  return isHidden || [...fields].some((name) => (record[name] ?? '') !== '')
}

/** These conditions don't depend on the time or the caller. */
const TIMELESS = { context: { today: '', now: '' }, me: null }

/** A search, filter or sort reveals values of a field that the response omits. */
function queriesGuarded(model: Model, { filter, search, sort }: ListQuery) {
  const { fields } = guardedOf(model)
  const isSearched = ([name, { searchable }]: [string, { searchable?: boolean }]) =>
    Boolean(searchable) && fields.has(name)
  return (
    fields.has(sort.field) ||
    conditionsOf(filter ?? { all: [] }).some(([name]) => fields.has(name)) ||
    (search !== null && fieldsOf(model).some(isSearched))
  )
}

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

/** Once per day, caller and record; the key is unique across replicas. Written after the response. */
function logRead(
  { request, model }: RecordRead,
  record: string | undefined,
  parent: { model: string; record: string } | null = null,
) {
  const { visitor } = request
  if (!visitor) return
  const target = parent ?? { model: model.path, ...(record === undefined ? {} : { record }) }
  const day = new Date().toISOString().slice(0, DAY_LENGTH)
  request.server.securityLog.record({
    kind: 'read',
    actor: { sub: visitor.sub },
    sid: visitor.sid,
    ...target,
    once: `${day} ${visitor.sub} ${target.model} ${target.record ?? ''}`,
  })
}
