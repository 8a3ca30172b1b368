import {
  fieldsOf,
  isRelation,
  isStamped,
  type Field,
  type Model,
  type ModelAction,
} from '@gatehouse/model'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { canRead } from '#engine/caller.ts'
import { systemColumns, type RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledOf, tableOf, targetOf } from '#engine/engine.ts'
import { toSql } from '#engine/query/filter.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import {
  withDeferredClaims,
  DEFERRED_BINDING,
  cachedStatement,
  callerShape,
  deferred,
  type StatementParams,
} from '#engine/query/statement-cache.ts'
import { visible } from '#engine/query/visibility.ts'
import { parentsFirst } from '#engine/referrers.ts'
import { isUuid } from '#platform/uuid.ts'
import { onlyRow, type Row } from '#platform/db.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Lock order, the same as for deletions: targets of relations, parents first, then the record. */
type Context = ReadContext & { work: UnitOfWork }

type Relation = { name: string; field: Field; target: Model }

export const targetKey = ({ path }: Pick<Model, 'path'>, id: unknown) =>
  `${path} ${String(id).toLowerCase()}`

/**
 * Locks the targets of the relations among these values, and caches which of them the caller may see. A target that the record
 * already refers to isn't locked: the record can be edited while the target is being deleted.
 */
export async function lockTargets(context: Context, values: Row, recordId: string | null = null) {
  const { engine, model, caller, work, tx } = context
  const relations = relationsIn(context, values)
  if (relations.length === 0 || (recordId !== null && !isUuid(recordId))) return
  // Part of the key: an action's form may have a field with the same name as the record's.
  const relationKeys = relations.map((relation) => [
    relation.name,
    relation.target.path,
    isServerStamped(context, relation),
    isLocked(context, relation),
  ])
  const row = onlyRow(
    await tx.query(
      cachedStatement(
        { engine, caller, at: new Date(), values, recordId },
        {
          key: JSON.stringify([
            'targets',
            model.path,
            callerShape(caller),
            relationKeys,
            recordId !== null,
          ]),
          build: () =>
            targetsStatement(
              { ...context, caller: withDeferredClaims(caller) },
              relations,
              recordId,
            ),
          isNamed: true,
        },
      ),
    ),
  )
  for (const relation of relations) {
    const isSeen = row[relation.name]
    // Null if the target doesn't exist.
    if (typeof isSeen === 'boolean')
      work.targets.set(targetKey(relation.target, values[relation.name]), {
        isSeen,
        isLocked: isLocked(context, relation) && row[`${relation.name}$new`] === true,
      })
  }
}

/** Relations with a value, in lock order of their targets. */
function relationsIn({ engine, model }: ReadContext, values: Row): Relation[] {
  const order = parentsFirst(engine)
  return fieldsOf(model)
    .filter(([name, field]) => isRelation(field) && isUuid(values[name]))
    .map(([name, field]) => ({ name, field, target: targetOf(engine, model, name) }))
    .toSorted((a, b) => order.indexOf(a.target) - order.indexOf(b.target))
}

const isServerStamped = ({ caller }: ReadContext, { field }: Relation) =>
  isStamped(field, caller.level)
/** Relations that the server stamps may dangle. */
const isLocked = (context: ReadContext, relation: Relation) =>
  !(isServerStamped(context, relation) && relation.field.onDelete === 'unlink')

type LockParams = StatementParams & { values: Row; recordId: string | null }

/** Each CTE depends on the previous one, which enforces the lock order. */
function targetsStatement(
  context: ReadContext,
  relations: Relation[],
  recordId: string | null,
): SQL<Row> {
  const table = tableOf(context.engine, context.model)
  const nameOf = (index: number) => sql.raw(`target${index}`)
  const isNew = ({ name }: Relation) =>
    recordId === null
      ? undefined
      : sql`${deferred(({ values }: LockParams) => values[name])}::uuid is distinct from
          (select former.${sql.identifier(columnOf(table, name).name)} from ${table} former where former.id = ${RECORD_ID})`
  const parts = relations.map((relation, index) => {
    const earlier = index === 0 ? undefined : sql`(select count(*) from ${nameOf(index - 1)}) >= 0`
    const lock = isLocked(context, relation) ? sql`for key share` : sql``
    return sql`${nameOf(index)} as materialized (
      ${targetStatement(context, relation, and(isNew(relation), earlier))} ${lock})`
  })
  const columns = relations.flatMap((relation, index) => {
    const { name } = relation
    const locked = sql`(select is_seen from ${nameOf(index)})`
    const checked =
      recordId === null
        ? locked
        : sql`coalesce(${locked}, (${targetStatement(context, relation, undefined)}))`
    return [
      sql`${checked} as ${sql.identifier(name)}`,
      sql`exists (select from ${nameOf(index)}) as ${sql.identifier(`${name}$new`)}`,
    ]
  })
  return sql<Row>`with ${sql.join(parts, sql`, `)} select ${sql.join(columns, sql`, `)}`
}

const RECORD_ID = sql`${deferred(({ recordId }: LockParams) => recordId)}::uuid`

/** Sent targets must be visible to the caller; stamped ones must exist. */
function targetStatement(
  context: ReadContext,
  relation: Relation,
  condition: SQL | undefined,
): SQL {
  const { engine, caller } = context
  const { name, target: model } = relation
  const table = tableOf(engine, model)
  const seen = canRead(model, caller)
    ? visible({ engine, model, table, caller, binding: DEFERRED_BINDING })
    : sql`false`
  const exists = isServerStamped(context, relation) ? isNull(columnOf(table, 'deletedAt')) : seen
  const id = deferred(({ values }: LockParams) => values[name])
  return sql`select (${seen}) is true as is_seen from ${table}
    where ${and(sql`${columnOf(table, 'id')} = ${id}::uuid`, exists, condition)}`
}

type Locked = {
  /** Null if missing or invisible to the caller. */
  row: RecordRow | null
  isApplicable: boolean
}

export async function lockForChange(
  context: Context,
  id: string,
  action?: { name: string; action: ModelAction },
): Promise<Locked> {
  if (!isUuid(id)) return { row: null, isApplicable: false }
  const { engine, model, caller, work, tx } = context
  const lock = () =>
    tx.query(
      cachedStatement(
        { engine, caller, at: new Date(), id },
        {
          key: JSON.stringify(['lock', model.path, callerShape(caller), action?.name]),
          build: () =>
            lockStatement({ ...context, caller: withDeferredClaims(caller) }, action?.action.when),
          isNamed: true,
        },
      ),
    )
  const [found] = await lock()
  // The row changed while the statement waited for its lock, so visibility was checked on stale rows.
  const [row] = found && found.version !== found.$version ? await lock() : [found]
  if (!row) return { row: null, isApplicable: false }
  const names = ['id', ...compiledOf(context).stored.names, ...systemColumns()]
  const record = Object.fromEntries(names.map((name) => [name, row[name]])) as RecordRow
  work.lockedRows.set(record.id, record)
  return { row: record, isApplicable: row.$isApplicable === true }
}

const ID = deferred(({ id }: StatementParams & { id: string }) => id)

function lockStatement(context: ReadContext, when: ModelAction['when']): SQL<Row> {
  const { engine, model, caller } = context
  const table = tableOf(engine, model)
  const isApplicable = when ? toSql(model, table, when, { engine, ...DEFERRED_BINDING }) : sql`true`
  const isVisible = visible({ engine, model, table, caller, binding: DEFERRED_BINDING })
  const before = sql`(select before.version from ${table} before where before.id = ${ID}::uuid)`
  return sql<Row>`select ${compiledOf(context).stored.selection.live}, (${isApplicable}) is true as "$isApplicable",
      ${before} as "$version"
    from ${table} where ${and(eq(columnOf(table, 'id'), ID), isVisible)} for no key update`
}
