import { isNull, sql } from 'drizzle-orm'
import { undeletable } from '#engine/query/delete-rules.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { canUndo, readSteps, UNDOING, type OperationStep } from './operation.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import { referrersOf } from '#engine/referrers.ts'

type UndoCheck = Omit<ReadContext, 'model'>

/** Undoing a creation or a restore deletes the record, which referrers or `deleteOnly` may forbid. */
export async function undoableOf(context: UndoCheck, operations: string[]) {
  const steps = operations.length === 0 ? [] : await readSteps(context, operations)
  const nonUndoable = await nonUndoableOf(context, steps)
  const byOperation = Map.groupBy(steps, ({ operation }) => operation)
  return new Set(
    operations.filter(
      (one) => !nonUndoable.has(one) && canUndo(byOperation.get(one) ?? [], context.caller),
    ),
  )
}

async function nonUndoableOf(context: UndoCheck, steps: OperationStep[]) {
  const deletions = steps.filter(({ action }) => UNDOING[action].by === 'delete')
  const nonUndoable = new Set<string>()
  for (const [operation, deleted] of Map.groupBy(deletions, (step) => step.operation))
    for (const [model, ofModel] of Map.groupBy(deleted, (step) => step.model)) {
      const ofOneModel = { ...context, model }
      const created = ofModel.filter(({ action }) => action === 'create')
      const isProtected = (await undeletable(ofOneModel, created.map(recordOf))).length > 0
      const ids = { ids: ofModel.map(recordOf), deletedIds: deleted.map(recordOf) }
      if (isProtected || (await areReferredTo(ofOneModel, ids))) nonUndoable.add(operation)
    }
  return nonUndoable
}

const recordOf = ({ recordId }: OperationStep) => recordId

/** Whether a live record outside the deletion refers to one of these. */
async function areReferredTo(
  { engine, tx, model }: ReadContext,
  { ids, deletedIds }: { ids: string[]; deletedIds: string[] },
) {
  for (const referrer of referrersOf(engine, model, ['restrict', 'cascade'])) {
    const table = tableOf(engine, referrer.model)
    const rows = await tx.query(
      sql`select 1 from ${table} where ${columnOf(table, referrer.field)} = any(${sql.param(ids)}::uuid[])
        and ${isNull(columnOf(table, 'deletedAt'))}
        and ${columnOf(table, 'id')} <> all(${sql.param(deletedIds)}::uuid[]) limit 1`,
    )
    if (rows.length > 0) return true
  }
  return false
}
