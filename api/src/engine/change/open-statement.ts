import { isStamped, type Field, type Model, type ModelAction } from '@gatehouse/model'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { canRead } from '#engine/caller.ts'
import { selection } from '#engine/compiled.ts'
import { columnOf, compiledFor, compiledOf, tableOf } from '#engine/engine.ts'
import { toSql } from '#engine/query/filter.ts'
import { labelled } from '#engine/query/labels.ts'
import type { ReadContext } from '#engine/query/read.ts'
import {
  anyoneLike,
  BIND_LATER,
  keptStatement,
  kindOf,
  slot,
  type Asked,
} from '#engine/query/texts.ts'
import { visible } from '#engine/query/visibility.ts'
import type { Table } from '#engine/tables.ts'
import type { Row } from '#platform/db.ts'
import { nextNumber } from './numbers.ts'
import { idempotencyKeys } from './tables.ts'

export type Wanted = {
  /** The record to be changed; null for a new one. */
  id: string | null
  /** The relations sent or stamped, by field; others are ignored. */
  values: Row
  /** Whose fields those are, if not the model's. */
  action?: { name: string; action: ModelAction }
  key?: { owner: string; key: string }
}

/** A relation among what is wanted, and the model it leads to. */
export type Relation = { name: string; field: Field; target: Model }

export type Opening = { wanted: Wanted; relations: Relation[]; numbers: string[] }

/** One statement that locks and reads what a change depends on; see open.ts. */
export const openStatement = (context: ReadContext, opening: Opening) => {
  const { engine, model, caller } = context
  const { wanted, relations } = opening
  const key = [
    'open',
    model.path,
    kindOf(caller),
    relations.map(({ name }) => name),
    wanted.id !== null,
    wanted.action?.name,
    wanted.key !== undefined,
  ]
  return keptStatement(
    { engine, caller, at: new Date(), wanted },
    {
      key: JSON.stringify(key),
      build: () => build({ ...context, caller: anyoneLike(caller) }, opening),
      isNamed: true,
    },
  )
}

type Filling = Asked & { wanted: Wanted }

const ID = sql`${slot(({ wanted }: Filling) => wanted.id)}::uuid`
const OWNER = sql`${slot(({ wanted }: Filling) => wanted.key?.owner)}::uuid`
const KEY = sql`${slot(({ wanted }: Filling) => wanted.key?.key)}::text`
const THE_KEY = sql`owner_ref = ${OWNER} and key = ${KEY}`
const KEPT = sql.raw(`interval '24 hours'`)

/** Repeats write too: a plain read could confirm a row that only a failing primary has seen. */
const KEY_PARTS = [
  sql`lock as materialized (select pg_try_advisory_xact_lock(hashtextextended(${OWNER}::text || ' ' || ${KEY}, 0)) as is_taken)`,
  sql`known as (update ${idempotencyKeys} set replays = replays + 1
    where ${THE_KEY} and created_at > now() - ${KEPT} and (select is_taken from lock)
    returning request_hash, record_id, revision_id, is_confirmed)`,
  sql`expired as (delete from ${idempotencyKeys}
    where ${THE_KEY} and created_at <= now() - ${KEPT} and (select is_taken from lock))`,
  sql`free as materialized (select from lock where is_taken and not exists (select from known))`,
]
const KEY_COLUMNS = sql`, (select is_taken from lock) as "$isFree", known.request_hash as "$requestHash",
  known.record_id as "$recordId", known.revision_id as "$revisionId", known.is_confirmed as "$isConfirmed"`

function build(context: ReadContext, { wanted, relations, numbers }: Opening): SQL<Row> {
  const { engine, model } = context
  const table = tableOf(engine, model)
  const isOld = wanted.id !== null
  const parts = wanted.key ? [...KEY_PARTS] : []
  // Locks are taken in this order: each waits for the one before.
  let earlier = wanted.key ? sql`exists (select from free)` : undefined
  const isKept = isOld && !wanted.action && relations.length > 0
  if (isKept)
    parts.push(
      sql`former as materialized (select ${selection(
        table,
        relations.map(({ name, field }) => [name, field]),
      )}
        from ${table} where ${columnOf(table, 'id')} = ${ID})`,
    )
  for (const [place, relation] of relations.entries()) {
    const isNew = isKept
      ? sql`${columnOf(tableOf(engine, relation.target), 'id')} is distinct from (select ${sql.identifier(relation.name)} from former)`
      : undefined
    parts.push(
      sql`${targetName(place)} as materialized (${target(context, relation, [earlier, isNew])})`,
    )
    earlier = and(earlier, sql`(select count(*) from ${targetName(place)}) >= 0`)
  }
  const { labels, joins } = labelled(context, compiledFor(context).record.fields)
  if (isOld) parts.push(sql`page as materialized (${record(context, wanted, earlier)})`)
  return sql`${parts.length > 0 ? sql`with ${sql.join(parts, sql`, `)}` : sql``}
    select true as "$opened"${wanted.key ? KEY_COLUMNS : sql``}
      ${sql.join(
        relations.map((_, place) => targetColumns(place)),
        sql``,
      )}
      ${sql.join(
        numbers.map((name) => takeNumber(context, name, wanted)),
        sql``,
      )}
      ${isOld ? sql`, page.*, ${labels}, ${foundVersion(table)}` : sql``}
    from (select) one ${wanted.key ? sql`left join known on true` : sql``}
      ${sql.join(
        relations.map((_, place) => sql`left join ${targetName(place)} on true `),
        sql``,
      )}
      ${isOld ? sql`left join page on true ${joins}` : sql``}`
}

/** The version that the statement began with; it may have waited for another. */
const foundVersion = (table: Table) =>
  sql`(select ${columnOf(table, 'version')} from ${table} where ${columnOf(table, 'id')} = ${ID}) as "$version"`

const targetName = (place: number) => sql.raw(`target${place}`)
const targetColumns = (place: number) =>
  sql`, ${targetName(place)}.is_seen as ${sql.identifier(`$seen${place}`)}, ${targetName(place)}.label as ${sql.identifier(`$label${place}`)}`

function takeNumber({ engine, model }: ReadContext, name: string, { key }: Wanted) {
  const next = nextNumber(engine, model, name)
  const taken = key ? sql`case when exists (select from free) then ${next} end` : next
  return sql`, ${taken} as ${sql.identifier(`$number_${name}`)}`
}

const isServers = ({ caller }: ReadContext, { field }: Relation) => isStamped(field, caller.level)
/** The server's own may dangle. */
export const isLocked = (context: ReadContext, relation: Relation) =>
  !(isServers(context, relation) && relation.field.onDelete === 'unlink')

/** What a relation leads to: what is sent must be visible to the caller, what the server stamps must exist. */
function target(context: ReadContext, relation: Relation, conditions: (SQL | undefined)[]): SQL {
  const { engine, caller } = context
  const { name, target: model } = relation
  const table = tableOf(engine, model)
  const seen = canRead(model, caller)
    ? visible({ engine, model, table, caller, binding: BIND_LATER })
    : sql`false`
  const exists = isServers(context, relation) ? isNull(columnOf(table, 'deletedAt')) : seen
  const id = slot(({ wanted }: Filling) => wanted.values[name])
  return sql`select (${seen}) is true as is_seen, ${columnOf(table, model.displayField)} as label from ${table}
    where ${and(sql`${columnOf(table, 'id')} = ${id}::uuid`, exists, ...conditions)}
    ${isLocked(context, relation) ? sql`for key share` : sql``}`
}

function record(context: ReadContext, { action }: Wanted, earlier: SQL | undefined): SQL {
  const { engine, model, caller } = context
  const table = tableOf(engine, model)
  const when = action?.action.when
  const isApplicable = when ? toSql(model, table, when, { engine, ...BIND_LATER }) : sql`true`
  const isVisible = visible({ engine, model, table, caller, binding: BIND_LATER })
  return sql`select ${compiledOf(context).stored.selection.live}, (${isApplicable}) is true as "$isApplicable"
    from ${table} where ${and(eq(columnOf(table, 'id'), ID), isVisible, earlier)} for no key update`
}
