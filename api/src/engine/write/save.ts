import { fieldOf, type Model, fieldMessages } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { isUuid, newId } from '#platform/uuid.ts'
import { SYSTEM } from '#engine/caller.ts'
import { targetKey } from './lock.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledOf, tableOf } from '#engine/engine.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { insertRevisions, type ChangeAction } from '#engine/history/audit-trail.ts'
import { canGet, getRecord, type ReadContext } from '#engine/query/get-record.ts'
import { ownership, visible } from '#engine/query/visibility.ts'
import type { Row } from '#platform/db.ts'
import { changedMeanwhile, invalidRecord, recordNotFound } from '#platform/errors.ts'
import type { WriteContext } from './run-hooks.ts'

/** With `work`, rows already locked by the operation aren't read again. */
type Locking = ReadContext & { work?: UnitOfWork }

/** SELECT FOR NO KEY UPDATE under the caller's visibility; FOR UPDATE before a deletion. */
export async function lockRecord(context: Locking, id: string, lock?: Lock) {
  const row = await findLocked(context, id, lock)
  if (!row) throw recordNotFound()
  return row
}

/** Like `lockRecord`; null if missing or invisible. */
export async function findLocked(context: Locking, id: string, lock?: Lock) {
  const locked = lock === 'delete' ? undefined : context.work?.lockedRows.get(id)
  if (locked && context.rows !== 'trash') return locked
  const [row] = isUuid(id) ? await findAllLocked(context, [id], lock) : []
  // Evicts the cached target: the row may have changed while this waited for its lock.
  if (!row || context.caller === SYSTEM) context.work?.targets.delete(targetKey(context.model, id))
  return row ?? null
}

/** The records that the caller may see, locked in id order. */
export const findAllLocked = (context: ReadContext, ids: string[], lock: Lock = 'edit') => {
  const { engine, tx, model, caller, rows } = context
  const table = tableOf(engine, model)
  return tx.query(
    sql<RecordRow>`select ${compiledOf(context).stored.selection[rows ?? 'live']} from ${table}
      where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])
        and ${visible({ engine, model, table, caller, rows })} order by ${columnOf(table, 'id')} ${LOCKS[lock]}`,
    'prepared',
  )
}

/** An edit doesn't lock the key, so inserting a child doesn't wait for it; a deletion does. */
export const LOCKS = { edit: sql`for no key update`, delete: sql`for update` }
export type Lock = keyof typeof LOCKS

/** Versions that a change may be based on; undefined if the caller names none. */
export type ExpectedVersions = readonly number[] | 'any' | undefined

export async function checkVersion(
  context: ReadContext,
  id: string,
  { version }: RecordRow,
  expected: ExpectedVersions,
) {
  if (expected === undefined || expected === 'any' || expected.includes(version)) return
  throw changedMeanwhile(canGet(context) ? await getRecord(context, id) : undefined)
}

/** Queues the changed fields and their revision. Returns the new record; null if nothing differs. */
export async function save(
  write: WriteContext,
  before: RecordRow,
  after: Row,
  isUnconditional: boolean,
): Promise<RecordRow | null> {
  const { model, work } = write
  const changed = changedFields(write, before, after)
  if (changed.length === 0) return null
  requireMutable(model, changed)
  const row: RecordRow = { ...before, ...after, version: before.version + 1 }
  await work.add({
    model,
    action: 'update',
    row,
    names: changed,
    before: only(before, changed),
    after: only(row, changed),
    outcome: isUnconditional ? 'unconditional' : 'done',
    revisionId: newId(),
  })
  if (work.lockedRows.has(row.id)) work.lockedRows.set(row.id, row)
  return row
}

/** Checked here because every change passes: update, restore of a version, undo, server. */
function requireMutable(model: Model, changed: string[]) {
  const fixed = changed.filter((name) => fieldOf(model, name)?.immutable)
  if (fixed.length > 0)
    throw invalidRecord(
      fixed.map((name) => ({
        field: name,
        message: fieldMessages.immutable(fieldOf(model, name)?.label ?? name),
      })),
    )
}

type RevisionDraft = {
  id: string
  version: number
  before: Row | null
  after: Row | null
  isUnconditional?: boolean
}

export const writeRevisions = (
  write: WriteContext,
  action: ChangeAction,
  drafts: RevisionDraft[],
) => {
  const { engine, tx, model, actor, requestId, operationId } = write
  const of = {
    operationId,
    model: model.path,
    action,
    actor,
    requestId,
    whose: ownership(engine, model),
  }
  return insertRevisions(
    tx,
    of,
    drafts.map((draft) => ({
      recordId: draft.id,
      version: draft.version,
      before: draft.before && only(draft.before, storedFieldNames(write, action)),
      after: draft.after && only(draft.after, storedNames(write)),
      fields:
        action === 'restore'
          ? []
          : Object.keys(draft.after ?? {}).filter((name) => name in model.fields),
      outcome: draft.isUnconditional ? ('unconditional' as const) : ('done' as const),
    })),
  )
}

const storedFieldNames = (write: WriteContext, action: ChangeAction) =>
  action === 'restore' ? ['deletedAt'] : storedNames(write)

const storedNames = (write: WriteContext) => compiledOf(write).stored.names

const only = (row: Row, names: string[]): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))

const changedFields = (write: WriteContext, before: Row, after: Row) =>
  storedNames(write).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )

export const storedFields = (write: WriteContext, row: Row) => only(row, storedNames(write))
