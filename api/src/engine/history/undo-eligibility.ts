import { isNull, sql } from 'drizzle-orm'
import { undeletable } from '#engine/query/delete-rules.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { canUndo, readSteps, UNDOING, type OperationStep } from './operation.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import { referrersOf } from '#engine/referrers.ts'

type UndoCheck = Omit<ReadContext, 'model'>

/** Operations the caller may undo, and whose created records can be deleted. */
export async function undoableOf(looking: UndoCheck, operations: string[]) {
  const steps = operations.length === 0 ? [] : await readSteps(looking, operations)
  const refused = await refusedOf(looking, steps)
  const byOperation = Map.groupBy(steps, ({ operation }) => operation)
  return new Set(
    operations.filter(
      (one) => !refused.has(one) && canUndo(byOperation.get(one) ?? [], looking.caller),
    ),
  )
}

/** Operations that can't be undone, because records they created can't be deleted. */
async function refusedOf(looking: UndoCheck, steps: OperationStep[]) {
  const going = steps.filter(({ action }) => UNDOING[action].by === 'delete')
  const refused = new Set<string>()
  for (const [operation, together] of Map.groupBy(going, (step) => step.operation))
    for (const [model, ofModel] of Map.groupBy(together, (step) => step.model)) {
      const context = { ...looking, model }
      const made = ofModel.filter(({ action }) => action === 'create')
      const isKept = (await undeletable(context, made.map(recordOf))).length > 0
      const ids = { ids: ofModel.map(recordOf), going: together.map(recordOf) }
      if (isKept || (await areNeeded(context, ids))) refused.add(operation)
    }
  return refused
}

const recordOf = ({ recordId }: OperationStep) => recordId

/** Whether a live record outside the deletion refers to one of these. */
async function areNeeded(
  { engine, tx, model }: ReadContext,
  { ids, going }: { ids: string[]; going: string[] },
) {
  for (const referrer of referrersOf(engine, model, ['restrict', 'cascade'])) {
    const table = tableOf(engine, referrer.model)
    const rows = await tx.query(
      sql`select 1 from ${table} where ${columnOf(table, referrer.field)} = any(${sql.param(ids)}::uuid[])
        and ${isNull(columnOf(table, 'deletedAt'))}
        and ${columnOf(table, 'id')} <> all(${sql.param(going)}::uuid[]) limit 1`,
    )
    if (rows.length > 0) return true
  }
  return false
}
