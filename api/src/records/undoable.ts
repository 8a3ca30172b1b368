import { isNull, sql } from 'drizzle-orm'
import { undeletable } from './deletable.ts'
import { columnOf, tableOf } from './engine.ts'
import { canUndo, stepsOf, UNDOING, type OperationStep } from './operation.ts'
import type { Reading } from './read.ts'
import { referrersOf } from './referrers.ts'

type Looking = Omit<Reading, 'model'>

/** Those of these operations to offer for undo: the caller has the rights, and what they made may be deleted. */
export async function undoableOf(looking: Looking, operations: string[]) {
  const steps = operations.length === 0 ? [] : await stepsOf(looking, operations)
  const refused = await refusedOf(looking, steps)
  const byOperation = Map.groupBy(steps, ({ operation }) => operation)
  return new Set(
    operations.filter(
      (one) => !refused.has(one) && canUndo(byOperation.get(one) ?? [], looking.caller),
    ),
  )
}

/** Operations that are not taken back, because they made what its model or another record keeps from being deleted. */
async function refusedOf(looking: Looking, steps: OperationStep[]) {
  const going = steps.filter(({ action }) => UNDOING[action].by === 'delete')
  const refused = new Set<string>()
  for (const [model, ofModel] of Map.groupBy(going, (step) => step.model)) {
    const reading = { ...looking, model }
    const made = ofModel.filter(({ action }) => action === 'create')
    const kept = await undeletable(reading, made.map(recordOf))
    const needed = await neededBesides(reading, ofModel.map(recordOf), going.map(recordOf))
    for (const { operation, recordId } of made) if (kept.includes(recordId)) refused.add(operation)
    for (const { operation, recordId } of ofModel) if (needed.has(recordId)) refused.add(operation)
  }
  return refused
}

const recordOf = ({ recordId }: OperationStep) => recordId

/** Those of these records that a live record refers to and that does not go itself. */
async function neededBesides({ engine, tx, model }: Reading, ids: string[], going: string[]) {
  const needed = new Set<unknown>()
  for (const referrer of referrersOf(engine, model, ['restrict', 'cascade'])) {
    const table = tableOf(engine, referrer.model)
    const rows = await tx.query(
      sql`select needed.id from unnest(${sql.param(ids)}::uuid[]) as needed (id) where exists (
        select 1 from ${table} where ${columnOf(table, referrer.field)} = needed.id
          and ${isNull(columnOf(table, 'deletedAt'))}
          and ${columnOf(table, 'id')} <> all(${sql.param(going)}::uuid[]))`,
    )
    for (const { id } of rows) needed.add(id)
  }
  return needed
}
