import { queryMessages, SECURITY_EVENTS, type SecurityEventKind } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { invalidQuery } from '#platform/errors.ts'
import type { Engine } from '#engine/engine.ts'
import { isInstant } from '#engine/query/column-values.ts'
import { securityEvents } from '#engine/security/security-event-tables.ts'
import { isUuid } from '#platform/uuid.ts'
import { labelsOf, accountNames, refOf, type Person, type RecordRef } from './resolve-names.ts'
import { allOf, PAGE, type LogQuery } from './query.ts'

type EventRow = {
  id: string
  at: string
  kind: SecurityEventKind
  outcome: string | null
  actorRef: string | null
  aboutRef: string | null
  model: string | null
  record: string | null
}

export type LoggedEvent = {
  id: string
  at: string
  kind: SecurityEventKind
  outcome: string | null
  by: Person | null
  about: Person | null
  record: RecordRef | null
}

export async function pageOfEvents(engine: Engine, you: string, query: LogQuery, limit = PAGE) {
  const rows = await engine.db.query(await statementFor(engine, { you, query, limit: limit + 1 }))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const personOf = await accountNames(
    engine,
    you,
    page.flatMap(({ actorRef, aboutRef }) => [actorRef, aboutRef]),
  )
  const placeOf = await labelsOf(
    engine,
    page.map(({ model, record }) => ({ model, id: record })),
  )
  const items = page.map(({ actorRef, aboutRef, model, record, ...event }): LoggedEvent => ({
    ...event,
    by: personOf(actorRef),
    about: personOf(aboutRef),
    record: placeOf(model, record),
  }))
  return { items, next: last ? `${last.at}_${last.id}` : null }
}

const ROW = sql`id, at, kind, outcome, actor_ref as "actorRef", about_ref as "aboutRef", model, record`

type EventQuery = { you: string; query: LogQuery; limit: number }

/** Each filter uses the index that starts with its column and ends in the time. */
async function statementFor(
  engine: Engine,
  { you, query, limit }: EventQuery,
): Promise<SQL<EventRow>> {
  const { person, kind, record, model } = query
  const ref = person === null ? null : await refOf(engine, you, person)
  const span = spanOf(query)
  const newest = sql`order by at desc, id desc limit ${limit}`
  const isKind = kind === null ? null : sql`kind = ${kind}`
  const isModel = model === null ? null : sql`model = ${model}`
  if (person === null || record !== null)
    return sql`select ${ROW} from ${securityEvents} where ${allOf([
      record === null ? null : sql`record = ${record}`,
      isModel,
      isKind,
      person === null ? null : sql`(actor_ref = ${ref} or about_ref = ${ref})`,
      span,
    ])} ${newest}`
  // The account's newest events per kind, then the newest of those.
  const kinds = sql.param(kind === null ? Object.keys(SECURITY_EVENTS) : [kind])
  const ofKind = (column: SQL) => sql`(select at, id from ${securityEvents}
    where ${allOf([sql`${column} = ${ref}`, sql`kind = one`, isModel, span])} ${newest})`
  return sql`select ${ROW} from (
      select at, id from unnest(${kinds}::text[]) one cross join lateral (
        ${ofKind(sql`actor_ref`)} union ${ofKind(sql`about_ref`)}) theirs
      ${newest}) found join ${securityEvents} using (at, id) order by at desc, id desc`
}

function spanOf({ from, to, before }: LogQuery) {
  const [at = '', id, ...rest] = before === null ? [] : before.split('_')
  if (before !== null && !(isInstant(at) && isUuid(id) && rest.length === 0))
    throw invalidQuery(queryMessages.notUnderstood('before'))
  return allOf([
    from === null ? null : sql`at >= ${from}`,
    to === null ? null : sql`at < ${to}`,
    before === null ? null : sql`(at, id) < (${at}::timestamptz, ${id}::uuid)`,
  ])
}
