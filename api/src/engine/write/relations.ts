import { fieldMessages, fieldsOf, isRelation, isStamped, type Field } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#platform/db.ts'
import { invalidRecord, type FieldError } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { canRead, SYSTEM } from '#engine/caller.ts'
import { columnOf, tableOf, targetOf } from '#engine/engine.ts'
import { selection } from '#engine/compile-models.ts'
import { targetKey } from './lock.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import { parentsFirst } from '#engine/referrers.ts'
import { visible } from '#engine/query/visibility.ts'

/**
 * Relations to invisible and to missing records get the same error. Checks everything sent, even if unchanged, so that a
 * correct guess of a hidden relation looks like a wrong one.
 */
export async function checkRelations(
  context: ReadContext & { work: UnitOfWork },
  record: Row,
  { before, sent }: { before: Row | null; sent: string[] },
) {
  const isNew = (name: string) => record[name] !== before?.[name]
  const missing = new Set<string>()
  for (const [name, field] of relationsOf(context)) {
    if ((record[name] ?? null) === null || !(isNew(name) || sent.includes(name))) continue
    const isServerStamped = isStamped(field, context.caller.level)
    if (isServerStamped && field.onDelete === 'unlink') continue
    const rights = isServerStamped ? asSystem(context) : context
    const lookup = { name, ids: [String(record[name])], lock: isNew(name) }
    if (!isCheckedTarget(rights, lookup) && !(await allExist(rights, lookup))) missing.add(name)
  }
  return errorsAt(context, missing)
}

/** Whether the operation has already checked and, if needed, locked the target. Only the server may refer to invisible ones. */
function isCheckedTarget(
  { engine, model, caller, work }: ReadContext & { work: UnitOfWork },
  lookup: Lookup,
) {
  const target = targetOf(engine, model, lookup.name)
  const [id = ''] = lookup.ids
  const cached = work.targets.get(targetKey(target, id))
  const isRecordLocked = work.lockedRows.has(id)
  const isSeen = caller === SYSTEM ? cached?.isLocked || isRecordLocked : cached?.isSeen
  return isSeen === true && (!lookup.lock || cached?.isLocked === true || isRecordLocked)
}

/**
 * A live record needs its parents: targets of `restrict` and `cascade` relations. `unlink` relations may dangle: they read
 * as empty until the target is restored.
 */
export async function requireParents(context: ReadContext, records: Row[]) {
  const missing = new Set<string>()
  for (const [name, field] of relationsOf(context)) {
    if (field.onDelete === 'unlink') continue
    const ids = new Set(records.map((record) => record[name]).filter((id) => id !== null))
    const exists = await allExist(context, { name, ids: [...ids].map(String), lock: true })
    if (!exists) missing.add(name)
  }
  const errors = errorsAt(context, missing)
  if (errors.length > 0) throw invalidRecord(errors)
}

/** Lock order: the parents of a record being restored, then the record itself. */
export async function lockParents(context: ReadContext, id: string) {
  const parents = relationsOf(context).filter(([, { onDelete }]) => onDelete !== 'unlink')
  const now = await readRelations(context, id, parents)
  for (const [name] of parents)
    if (now && now[name] !== null)
      await allExist(context, { name, ids: [String(now[name])], lock: true })
}

async function readRelations(
  { engine, tx, model }: ReadContext,
  id: string,
  fields: [string, Field][],
) {
  if (fields.length === 0 || !isUuid(id)) return null
  const table = tableOf(engine, model)
  const [row] = await tx.query(
    sql`select ${selection(table, fields)} from ${table} where ${columnOf(table, 'id')} = ${id}`,
  )
  return row ?? null
}

const asSystem = <C extends ReadContext>(context: C): C => ({ ...context, caller: SYSTEM })

/** In lock order of their targets. */
function relationsOf({ engine, model }: ReadContext) {
  const order = parentsFirst(engine)
  const positionOf = ([, { to }]: [string, Field]) => order.findIndex(({ path }) => path === to)
  return fieldsOf(model)
    .filter(([, field]) => isRelation(field))
    .toSorted((a, b) => positionOf(a) - positionOf(b))
}

const errorsAt = ({ model }: ReadContext, missing: Set<string>): FieldError[] =>
  fieldsOf(model)
    .filter(([name]) => missing.has(name))
    .map(([field, { label }]) => ({ field, message: fieldMessages.recordNotFound(label) }))

type Lookup = { name: string; ids: string[]; lock: boolean }

/** FOR KEY SHARE in the same statement: no new reference to a record that is being deleted. */
async function allExist({ engine, tx, model, caller }: ReadContext, { name, ids, lock }: Lookup) {
  if (ids.length === 0) return true
  const target = targetOf(engine, model, name)
  if (!canRead(target, caller) || !ids.every(isUuid)) return false
  const table = tableOf(engine, target)
  const rows = await tx.query(
    sql`select 1 from ${table} where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])
      and ${visible({ engine, model: target, table, caller })}
      order by ${columnOf(table, 'id')} ${lock ? sql`for key share` : sql``}`,
    'prepared',
  )
  return rows.length === ids.length
}
