import { fieldOf } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { SYSTEM } from '#engine/caller.ts'
import { columnOf, tableOf, type Engine } from '#engine/engine.ts'
import { auditEvents, revisions } from '#engine/history/history-tables.ts'
import {
  DEFERRED_BINDING,
  cachedStatement,
  deferred,
  type StatementParams,
} from '#engine/query/statement-cache.ts'
import { attachCte, removeCte } from '#engine/files/changed-files.ts'
import { ownValues, parentOf, withParent, writtenOwnership } from '#engine/query/visibility.ts'
import type { Table } from '#engine/build-tables.ts'
import { spendSql } from '#platform/mail/confirmation-budget.ts'
import { MAIL_COLUMNS, NOTIFY } from '#platform/mail/outbox.ts'
import { outbox } from '#platform/platform-tables.ts'
import { keyCte, type QueuedKey } from './idempotency.ts'
import type { Batch, Change } from './unit-of-work.ts'

type Written = {
  now: string
  written: number
  isConfirmed: boolean | null
}

type WriteParams = StatementParams & { batch: Batch }

/**
 * Everything that an operation writes, in one statement: no change without revision and audit row. Ownership comes from
 * RETURNING: the tables still show the previous rows.
 */
export function writeStatement(engine: Engine, batch: Batch) {
  const key = cacheKeyOf(engine, batch)
  if (named.size < NAMED_MAX) named.add(key)
  const cached = { key, build: () => build(engine, batch), isNamed: named.has(key) }
  return cachedStatement({ engine, caller: SYSTEM, at: new Date(), batch }, cached)
}

/** Each connection stores the plan of a named statement, and each set of changed fields is another statement. */
const NAMED_MAX = 100
const named = new Set<string>()

/** Everything the SQL depends on. */
const cacheKeyOf = (engine: Engine, { changes, mails, key }: Batch) =>
  JSON.stringify([
    'write',
    changes.map((change) => [
      change.model.path,
      change.action,
      change.names,
      change.isOptional,
      parentIn(engine, changes, change),
      change.files?.map(({ field, added, removed }) => [
        field,
        added.length > 0,
        removed.length > 0,
      ]),
    ]),
    mails.some(({ budget }) => budget !== undefined),
    mails.length > 0,
    key !== null,
  ])

function build(engine: Engine, { changes, mails, key }: Batch): SQL<Written> {
  const hasBudget = mails.some(({ budget }) => budget !== undefined)
  const parts = [
    ...changes.map((change, index) => recordCte(engine, change, index)),
    ...changes.flatMap(fileCtes),
    ...(changes.length > 0 ? historyCtes(engine, changes) : []),
    ...(mails.length > 0 ? mailCtes(hasBudget) : []),
    ...(key ? [keyCte(ofKey, hasBudget ? IS_CONFIRMED : null)] : []),
  ]
  return sql<Written>`with ${commas(parts)} select now()::timestamptz(3) as now,
    ${checkedCount(changes)} as written,
    ${hasBudget ? IS_CONFIRMED : sql`null::boolean`} as "isConfirmed"
    ${mails.length > 0 ? sql`, (${NOTIFY} from mailed limit 1)` : sql``}`
}

/** The number of records written. Raises on a mismatch, if a record to be changed no longer exists. */
function checkedCount(changes: Change[]): SQL {
  const counts = changes.map((_, index) => sql`(select count(*) from ${nameOf(index)})`)
  const count = sql`(${counts.length > 0 ? sql.join(counts, sql` + `) : sql`0`})`
  if (changes.some(({ isOptional }) => isOptional)) return sql`${count}::int`
  return sql`(case when ${count} <> ${sql.raw(`${changes.length}`)}
    then ${raiseText(sql`'a record to change no longer exists; rows found: ' || ${count}`)} else ${count} end)::int`
}

/** A failing cast: plain SQL has no other way to raise a message. */
const raiseText = (text: SQL) => sql`(${text})::text::int`

const commas = (parts: SQL[]) => sql.join(parts, sql`, `)
const nameOf = (index: number) => sql.raw(`written${index}`)

const of = (read: (batch: Batch) => unknown) => deferred(({ batch }: WriteParams) => read(batch))
const inChange = (index: number, read: (change: Change) => unknown) =>
  of(({ changes }) => {
    const change = changes[index]
    return change && read(change)
  })
const ofKey = (read: (key: QueuedKey) => unknown) => of(({ key }) => key && read(key))
const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value))

const ACTOR = sql`${of(({ actor }) => actor.ref)}::uuid`

function recordCte(engine: Engine, change: Change, index: number): SQL {
  const { model, action, names, isOptional } = change
  const table = tableOf(engine, model)
  const id = sql`${inChange(index, ({ row }) => row.id)}::uuid`
  const columns = names.map((name) => ({
    name: sql`${sql.identifier(columnOf(table, name).name)}`,
    value: valueOf(table, name, index),
  }))
  const returned = sql`returning ${columnOf(table, 'id')} as id, ${writtenOwnership(engine, model, DEFERRED_BINDING)}`
  if (action === 'create')
    return sql`${nameOf(index)} as (insert into ${table} (id, created_by_ref, updated_by_ref, ${commas(columns.map(({ name }) => name))})
      select ${id}, ${ACTOR}, ${ACTOR}, ${commas(columns.map(({ value }) => value))}
      ${isOptional ? sql`on conflict do nothing` : sql``} ${returned})`
  return sql`${nameOf(index)} as (update ${table}
    set ${commas(columns.map(({ name, value }) => sql`${name} = ${value}`))},
      version = ${inChange(index, ({ row }) => row.version)}::int, updated_at = now(), updated_by_ref = ${ACTOR}
    where ${columnOf(table, 'id')} = ${id}
      and ${columnOf(table, 'version')} = ${inChange(index, ({ row }) => row.version - 1)}::int ${returned})`
}

/** Files become attached or removed with the record's own change. */
const fileCtes = (change: Change, index: number): SQL[] =>
  (change.files ?? []).flatMap(({ field, added, removed }, place) => {
    const of = (kind: 'added' | 'removed') => ({
      name: sql.raw(`${kind}${index}_${place}`),
      written: nameOf(index),
      model: sql`${change.model.path}::text`,
      recordId: sql`${nameOf(index)}.id`,
      field: sql`${field}::text`,
      ids: sql`${inChange(index, ({ files = [] }) => files[place]?.[kind])}`,
    })
    return [
      ...(removed.length > 0 ? [removeCte(of('removed'))] : []),
      ...(added.length > 0 ? [attachCte(of('added'))] : []),
    ]
  })

const valueOf = (table: Table, name: string, index: number) =>
  sql`${inChange(index, ({ row }) => row[name] ?? null)}::${sql.raw(columnOf(table, name).getSQLType())}`

/** Revisions and audit rows, in the order of the changes. */
function historyCtes(engine: Engine, changes: Change[]): SQL[] {
  const rows = changes.map((change, index) => {
    const row = nameOf(index)
    const { values, join } = ownerColumns(engine, changes, index)
    return {
      revision: sql`select ${inChange(index, ({ revisionId }) => revisionId)}::uuid, ${of(({ operationId }) => operationId)}::uuid,
          ${change.model.path}::text, ${row}.id, ${inChange(index, (one) => one.row.version)}::int, ${change.action}::text,
          ${inChange(index, ({ before }) => asJson(before))}::jsonb, ${inChange(index, ({ after }) => asJson(after))}::jsonb,
          ${ACTOR}, ${values}, true from ${row} ${join}`,
      audit: sql`select ${ACTOR}, ${of(({ actor }) => actor.kind)}::text, ${change.action}::text, ${change.model.path}::text, ${row}.id,
          ${inChange(index, fieldsOf)}::text[], ${inChange(index, ({ outcome }) => outcome)}::text,
          ${of(({ requestId }) => requestId)}::text, ${inChange(index, ({ revisionId }) => revisionId)}::uuid from ${row}`,
    }
  })
  return [
    sql`revision as (insert into ${revisions} (id, operation_id, model, record_id, version, action, before, after, actor_ref,
      owner, org, is_open, is_settled) ${sql.join(
        rows.map(({ revision }) => revision),
        sql` union all `,
      )})`,
    sql`audit as (insert into ${auditEvents} (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id,
      revision_id) ${sql.join(
        rows.map(({ audit }) => audit),
        sql` union all `,
      )})`,
  ]
}

const fieldsOf = ({ model, after }: Change) =>
  Object.keys(after).filter((name) => fieldOf(model, name))

/** The change among these that writes the record's parent; null if none does. */
function parentIn(engine: Engine, changes: Change[], { model, row }: Change) {
  const parent = parentOf(engine, model)
  const index = parent
    ? changes.findIndex((one) => one.model === parent.model && one.row.id === row[parent.via])
    : -1
  return index < 0 ? null : index
}

function ownerColumns(engine: Engine, changes: Change[], index: number) {
  const row = nameOf(index)
  const change = changes[index]
  const parent = change && parentOf(engine, change.model)
  if (!parent) return { values: sql`${row}.owner, ${row}.org, ${row}.is_open`, join: sql`` }
  const parents = tableOf(engine, parent.model)
  const together = parentIn(engine, changes, change)
  const from =
    together === null
      ? sql`select ${ownValues(engine, parent.model, DEFERRED_BINDING)} from ${parents} where ${columnOf(parents, 'id')} = ${row}.parent`
      : sql`select owner, org, is_open from ${nameOf(together)} where id = ${row}.parent`
  return withParent(sql`${row}.is_open`, from)
}

const IS_CONFIRMED = sql`(select bool_and(is_within) from mailing where budget is not null)`

/** A mail with a budget is queued only within it. */
function mailCtes(hasBudget: boolean): SQL[] {
  const within = hasBudget
    ? sql`case when mail.budget is null then true else ${spendSql(sql`mail.budget`)} end`
    : sql`true`
  return [
    sql`mailing as materialized (select mail.*, ${within} as is_within
      from jsonb_to_recordset(${of(({ mails }) => JSON.stringify(mails))}::jsonb) as mail (${MAIL_COLUMNS}, budget text))`,
    sql`mailed as (insert into ${outbox} (id, kind, recipient, data)
      select id, kind, recipient, data from mailing where is_within returning 1)`,
  ]
}
