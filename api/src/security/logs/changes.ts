import { presentName, queryMessages, type Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { invalidQuery } from '#platform/errors.ts'
import { auditEvents } from '#engine/history/history-tables.ts'
import type { Actor } from '#engine/history/audit-trail.ts'
import type { Engine } from '#engine/engine.ts'
import { labelsOf, accountNames, refOf, type Person, type RecordRef } from './resolve-names.ts'
import { allOf, PAGE, type LogQuery } from './query.ts'

type ChangeRow = {
  id: number
  at: string
  action: string
  actorRef: string | null
  byKind: Actor['kind']
  entity: string
  entityId: string | null
  fields: string[]
}

export type LoggedChange = {
  id: number
  at: string
  action: string
  by: Person | null
  byKind: Actor['kind']
  record: RecordRef | null
  /** Labels of the fields that changed; their values are in the record's history. */
  fields: string[]
}

export async function pageOfChanges(engine: Engine, you: string, query: LogQuery, limit = PAGE) {
  const rows = await engine.db.query(await statementFor(engine, { you, query, limit: limit + 1 }))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const personOf = await accountNames(
    engine,
    you,
    page.map(({ actorRef }) => actorRef),
  )
  const placeOf = await labelsOf(
    engine,
    page.map(({ entity, entityId }) => ({ model: entity, id: entityId })),
  )
  const items = page.map(({ actorRef, entity, entityId, fields, ...change }): LoggedChange => ({
    ...change,
    by: personOf(actorRef),
    record: placeOf(entity, entityId),
    fields: namesOf(
      fields,
      engine.models.find(({ path }) => path === entity),
    ),
  }))
  return { items, next: last ? String(last.id) : null }
}

/** A removed field has no label, so its name is shown. */
const namesOf = (fields: string[], model: Model | undefined) =>
  fields.map((name) => model?.fields[presentName(model, name)]?.label ?? name)

const ROW = sql`seq as id, at, action, actor_ref as "actorRef", actor_kind as "byKind", entity, entity_id as "entityId", fields`

type ChangeQuery = { you: string; query: LogQuery; limit: number }

/** Every index ends in `seq`, so a time span becomes a range of `seq`. */
async function statementFor(
  engine: Engine,
  { you, query, limit }: ChangeQuery,
): Promise<SQL<ChangeRow>> {
  const { person, model, record } = query
  const ref = person === null ? null : await refOf(engine, you, person)
  const newest = sql`order by seq desc limit ${limit}`
  const span = spanOf(query)
  const isModel = model === null ? null : sql`entity = ${model}`
  const isTheirs = person === null ? null : sql`actor_ref = ${ref}`
  if (person === null || model !== null)
    return sql`select ${ROW} from ${auditEvents} where ${allOf([
      isModel,
      record === null ? null : sql`entity_id = ${record}`,
      isTheirs,
      span,
    ])} ${newest}`
  // The actor's newest rows per model (loose index scan), then the newest of those.
  return sql`with recursive theirs as (
      (select entity from ${auditEvents} where actor_ref = ${ref} order by entity limit 1)
      union all select (select entity from ${auditEvents} next where actor_ref = ${ref} and next.entity > theirs.entity
        order by next.entity limit 1) from theirs where entity is not null
    )
    select ${ROW} from (
      select newest.seq from theirs cross join lateral (
        select seq from ${auditEvents} one where actor_ref = ${ref} and one.entity = theirs.entity and ${span} ${newest}) newest
      ${newest}) found join ${auditEvents} using (seq) order by seq desc`
}

/** `at` is the transaction's start, `seq` is assigned on insert: assumed at most this far apart. */
const CLOCK_GAP_MAX = sql.raw(`interval '1 minute'`)

function spanOf({ from, to, before }: LogQuery) {
  if (before !== null && !/^\d{1,15}$/.test(before))
    throw invalidQuery(queryMessages.notUnderstood('before'))
  const nearest = (isNear: SQL, order: SQL) =>
    sql`(select seq from ${auditEvents} near where ${isNear} order by near.at ${order} limit 1)`
  return allOf([
    from === null
      ? null
      : sql`at >= ${from} and seq >= ${nearest(sql`near.at >= ${from}::timestamptz - ${CLOCK_GAP_MAX}`, sql`asc`)}`,
    to === null
      ? null
      : sql`at < ${to} and seq <= ${nearest(sql`near.at < ${to}::timestamptz + ${CLOCK_GAP_MAX}`, sql`desc`)}`,
    before === null ? null : sql`seq < ${before}::bigint`,
  ])
}
