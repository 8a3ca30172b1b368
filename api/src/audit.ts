import { sql, type SQL } from 'drizzle-orm'
import type { Visitor } from '@gatehouse/model'
import { v7 as uuidv7 } from 'uuid'
import type { Row, Runner } from './db.ts'
import { auditEvents, revisions, subjectRefs } from './table.ts'

/** Who acts, as the log may know it: a reference without a name. */
export type Actor = { ref: string | null; kind: 'anonymous' | 'user' | 'admin' | 'system' }

/** The opaque reference of a signed-in person, made on the first change they make. */
export async function actorOf(tx: Runner, visitor: Visitor): Promise<Actor> {
  if (!visitor) return { ref: null, kind: 'anonymous' }
  const find = sql`select ref from ${subjectRefs} where sub = ${visitor.sub}`
  const [known] = await tx.query(find, 'prepared')
  if (known) return { ref: String(known['ref']), kind: visitor.role }
  await tx.query(
    sql`insert into ${subjectRefs} (sub, ref) values (${visitor.sub}, ${crypto.randomUUID()}) on conflict do nothing`,
  )
  const [made] = await tx.query(find)
  return { ref: String(made?.['ref']), kind: visitor.role }
}

export type Change = {
  operationId: string
  model: string
  recordId: string
  version: number
  action: 'create' | 'update' | 'delete' | 'restore'
  before: Row | null
  after: Row | null
  fields: string[]
  actor: Actor
  requestId: string
  /** `unconditional`: a change without If-Match, which may have overwritten somebody else's. */
  outcome: 'done' | 'unconditional'
  whose: Ownership
}

/** Where a statement finds whose the rows of a table are: `values` (owner, org, is_open), per row of `from`. */
export type Ownership = { from: SQL; id: SQL; values: SQL }

/** One statement, in the transaction of the change: no revision and no audit row, no change. */
export async function writeChange(tx: Runner, change: Change) {
  const id = uuidv7()
  const { actor, whose } = change
  const written = await tx.query(
    sql`with revision as (
      insert into ${revisions} (id, operation_id, model, record_id, version, action, before, after, actor_ref,
        owner, org, is_open, is_settled)
      select ${id}::uuid, ${change.operationId}::uuid, ${change.model}, ${whose.id}, ${change.version}::int,
        ${change.action}, ${toJson(change.before)}::jsonb, ${toJson(change.after)}::jsonb, ${actor.ref}::uuid,
        ${whose.values}, true
      from ${whose.from} where ${whose.id} = ${change.recordId}
      returning record_id
    )
    insert into ${auditEvents} (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id)
    select ${actor.ref}::uuid, ${actor.kind}, ${change.action}, ${change.model}, record_id,
      ${sql.param(change.fields)}::text[], ${change.outcome}, ${change.requestId} from revision
    returning seq`,
    'prepared',
  )
  if (written.length !== 1) throw new Error(`no row of "${change.model}" to leave a trace of`)
  return id
}

/** Rows that are gone for good: their values go with them, what remains is that it happened. */
export async function writePurge(
  tx: Runner,
  purge: { model: string; ids: string[]; actor: Actor; requestId: string },
) {
  const ids = sql`${sql.param(purge.ids)}::uuid[]`
  await tx.query(
    sql`with forgotten as (delete from ${revisions} where model = ${purge.model} and record_id = any(${ids}))
    insert into ${auditEvents} (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id)
    select ${purge.actor.ref}, ${purge.actor.kind}, 'purge', ${purge.model}, id, '{}', 'done', ${purge.requestId}
    from unnest(${ids}) id`,
  )
}

const toJson = (row: Row | null) => (row === null ? null : JSON.stringify(row))
