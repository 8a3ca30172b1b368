import { sql } from 'drizzle-orm'
import type { Visitor } from '@gatehouse/model'
import { newId } from '#platform/uuid.ts'
import type { Ownership } from '#engine/query/visibility.ts'
import { onlyRow, type Row, type Runner } from '#platform/db.ts'
import { auditEvents, revisions, subjectRefs } from './history-tables.ts'

export type Actor = { ref: string | null; kind: 'anonymous' | 'user' | 'admin' | 'system' }

/** The opaque reference of a signed-in caller, created with their first change. */
export async function actorOf(tx: Runner, visitor: Visitor): Promise<Actor> {
  if (!visitor) return { ref: null, kind: 'anonymous' }
  const find = sql<{ ref: string }>`select ref from ${subjectRefs} where sub = ${visitor.sub}`
  const [existing] = await tx.query(find, 'prepared')
  if (existing) return { ref: existing.ref, kind: visitor.role }
  await tx.query(
    sql`insert into ${subjectRefs} (sub, ref) values (${visitor.sub}, ${crypto.randomUUID()}) on conflict do nothing`,
  )
  return { ref: onlyRow(await tx.query(find)).ref, kind: visitor.role }
}

export type ChangeAction = 'create' | 'update' | 'delete' | 'restore'

export type Revision = {
  recordId: string
  version: number
  before: Row | null
  after: Row | null
  fields: string[]
  /** `unconditional`: without If-Match, so it may have overwritten another user's change. */
  outcome: 'done' | 'unconditional'
}

type RevisionGroup = {
  operationId: string
  model: string
  action: ChangeAction
  actor: Actor
  requestId: string
  whose: Ownership
}

/** One statement for any number of records, in the change's transaction: no change without revision and audit row. */
export async function insertRevisions(tx: Runner, of: RevisionGroup, changes: Revision[]) {
  const { actor, whose } = of
  const made = changes.map((change) => ({ id: newId(), ...change }))
  const ids = changes.map(({ recordId }) => recordId)
  // Ids repeated for the planner: it estimates the JSON at 100 rows and would scan a small table for one.
  const written = await tx.query(
    sql`with made as (
      select * from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made (id uuid, "recordId" uuid, version int,
        before jsonb, after jsonb, fields text[], outcome text)
    ), revision as (
      insert into ${revisions} (id, operation_id, model, record_id, version, action, before, after, actor_ref,
        owner, org, is_open, is_settled)
      select made.id, ${of.operationId}::uuid, ${of.model}, made."recordId", made.version, ${of.action}, made.before,
        made.after, ${actor.ref}::uuid, ${whose.values}, true
      from made, ${whose.from} where ${whose.id} = made."recordId" and ${whose.id} = any(${sql.param(ids)}::uuid[])
      returning id
    )
    insert into ${auditEvents} (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id,
      revision_id)
    select ${actor.ref}::uuid, ${actor.kind}, ${of.action}, ${of.model}, made."recordId", made.fields, made.outcome,
      ${of.requestId}, made.id
    from made join revision on revision.id = made.id order by made.id
    returning seq`,
    'prepared',
  )
  if (written.length !== made.length)
    throw new Error(`a changed row of "${of.model}" is missing; no revision written`)
  return made.map(({ id }) => id)
}

/** Writes the audit row of an action that changes no record. */
export async function writeAuditEvent(
  tx: Runner,
  act: {
    action: string
    entity: string
    entityId: string
    actor: Actor
    requestId: string
  },
) {
  await tx.query(
    sql`insert into ${auditEvents} (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id)
      values (${act.actor.ref}, ${act.actor.kind}, ${act.action}, ${act.entity}, ${act.entityId}, '{}', 'done', ${act.requestId})`,
  )
}
