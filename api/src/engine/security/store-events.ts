import { hash } from 'node:crypto'
import type { Person, SecurityEvent } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { newId } from '#platform/uuid.ts'
import { subjectRefs } from '#engine/history/history-tables.ts'
import type { Runner } from '#platform/db.ts'
import { securityEventCounts, securityEvents } from './security-event-tables.ts'

/** A table row before its references are resolved. */
export type SecurityRow = ReturnType<typeof toRow>

/** Sets id and time, so that a repeated insert is harmless. */
export const toRow = (event: SecurityEvent) => ({
  id: newId(),
  at: (event.at ?? new Date()).toISOString(),
  kind: event.kind,
  outcome: event.outcome ?? null,
  ...personOf('actor', event.actor),
  ...personOf('about', event.about),
  model: event.model ?? null,
  record: event.record ?? null,
  sid: event.sid ? hashed(event.sid) : null,
  sourceId: event.once === undefined ? null : hashed(`${event.kind} ${event.once}`),
})

const personOf = <Name extends 'actor' | 'about'>(name: Name, who: Person | null | undefined) =>
  ({
    [`${name}Sub`]: who && 'sub' in who ? who.sub : null,
    [`${name}Ref`]: who && 'ref' in who ? who.ref : null,
  }) as Record<`${Name}Sub` | `${Name}Ref`, string | null>

const hashed = (text: string) => hash('sha256', text, 'base64url')

/** In the caller's transaction, so that the change and its event are committed together. */
export const recordSecurityEvents = (tx: Runner, events: SecurityEvent[]) =>
  insertRows(tx, events.map(toRow))

/** Returns the ids of new events. */
export async function insertRows(tx: Runner, rows: SecurityRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const subs = [...new Set(rows.flatMap(({ actorSub, aboutSub }) => [actorSub, aboutSub]))]
  await tx.query(
    sql`insert into ${subjectRefs} (sub, ref) select sub, gen_random_uuid() from unnest(${sql.param(subs)}::text[]) sub
      where sub is not null order by sub on conflict do nothing`,
    'prepared',
  )
  const written = await tx.query(
    sql<{ id: string }>`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, at timestamptz, kind text,
        outcome text, "actorSub" text, "actorRef" uuid, "aboutSub" text, "aboutRef" uuid, model text, record uuid,
        sid text, "sourceId" text)
    ), written as (
      insert into ${securityEvents} (id, at, kind, outcome, actor_ref, about_ref, model, record, sid, source_id)
      select given.id, at, kind, outcome, coalesce("actorRef", actor.ref), coalesce("aboutRef", about.ref), model, record,
        sid, "sourceId"
      from given left join ${subjectRefs} actor on actor.sub = "actorSub"
        left join ${subjectRefs} about on about.sub = "aboutSub"
      order by "sourceId", given.id on conflict do nothing returning id, at, kind
    ), counted as (
      insert into ${securityEventCounts} as known (hour, kind, count)
      select date_trunc('hour', at), kind, count(*) from written group by 1, 2 order by 1, 2
      on conflict (hour, kind) do update set count = known.count + excluded.count
    )
    select id from written`,
    'prepared',
  )
  return written.map(({ id }) => id)
}
