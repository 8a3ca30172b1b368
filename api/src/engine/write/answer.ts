import { isStaff } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { targetKey } from '#engine/change/open.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { compiledFor, tableOf, targetOf } from '#engine/engine.ts'
import { canUndo, UNDOING, type OperationStep } from '#engine/history/operation.ts'
import { fieldsOfRule } from '#engine/history/settle.ts'
import { undoableOf } from '#engine/history/undoable.ts'
import { isDeletable } from '#engine/query/deletable.ts'
import { expressionsOf } from '#engine/query/expressions.ts'
import { getRecord, withLabels } from '#engine/query/read.ts'
import type { Row } from '#platform/db.ts'
import type { WriteContext } from './events.ts'

/** Complete once the operation is: only then are the times of a record known, and what is computed on reading it. */
type Answer = () => RecordRow

/** A new or changed record as the caller sees it, from what the operation knows. */
async function answerOf(write: WriteContext, row: RecordRow): Promise<Answer> {
  const { engine, model } = write
  const table = tableOf(engine, model)
  const expressions = expressionsOf({ engine, model, table }, compiledFor(write).record.fields)
  const computed = readLate(write, row.id, expressions)
  const { labels, hidden } = labelsKnown(write, row) ?? (await labelsRead(write, row))
  return () => ({ ...row, ...computed, ...hidden, labels })
}

/** A new one, and whether its creation can be undone. */
export async function answerNew(write: WriteContext, row: RecordRow) {
  const rule = isDeletable(write)
  const facts = readLate(write, row.id, rule ? [sql`(${rule}) is true as "isDeletable"`] : [])
  const record = await answerOf(write, row)
  return { record, isUndoable: () => rule === null || facts.isDeletable === true }
}

/** A changed one. It is read where the change may have put it out of the caller's sight. */
export async function answerFor(write: WriteContext, id: string): Promise<Answer> {
  const { caller, work } = write
  const row = work.changes.findLast((change) => change.row.id === id)?.row ?? work.held.get(id)
  // Its own or its parent's.
  const isMoved = work.changes.some(
    ({ model, action, names }) =>
      action === 'update' && fieldsOfRule(model).some((name) => names.includes(name)),
  )
  if (row && (isStaff(caller.level) || !isMoved)) return answerOf(write, row)
  const record = await getRecord(write, id)
  return () => record
}

/** Filled in once everything is written: all that is asked of a record, in one statement. */
function readLate({ engine, model, work }: WriteContext, id: string, columns: SQL[]): Row {
  if (columns.length === 0) return {}
  return work.readLate({ table: tableOf(engine, model), id, columns })
}

type Labelled = { labels: Row; hidden: Row }

/** Null if the operation doesn't know them all, or has changed what they are of. */
function labelsKnown({ work, ...write }: WriteContext, row: RecordRow): Labelled | null {
  const [labels, hidden]: [Row, Row] = [{}, {}]
  for (const name of relationsOf(write)) {
    const id = row[name] ?? null
    if (id === null) continue
    const known = work.targets.get(targetKey(targetOf(write.engine, write.model, name), id))
    if (!known || work.changes.some((change) => change.row.id === id)) return null
    if (known.isSeen) labels[name] = known.label
    else hidden[name] = null
  }
  return { labels, hidden }
}

async function labelsRead(write: WriteContext, row: RecordRow): Promise<Labelled> {
  const seen = await withLabels(write, row, compiledFor(write).record.fields)
  const hidden = relationsOf(write).map((name) => [name, seen[name] ?? null])
  return { labels: seen.labels, hidden: Object.fromEntries(hidden) }
}

const relationsOf = (write: Pick<WriteContext, 'engine' | 'model' | 'caller'>) =>
  compiledFor(write).record.fields.flatMap(([name, { type }]) =>
    type === 'relation' ? [name] : [],
  )

/** The operation so far, if the caller may undo it. What it has just made, nothing else can refer to. */
export async function undoableSoFar(write: WriteContext): Promise<string | null> {
  const { caller, work, operationId } = write
  const steps = work.changes.map(({ model, action, before, row }) => ({
    operation: operationId,
    model,
    recordId: row.id,
    version: row.version,
    action,
    before,
    actorRef: write.actor.ref,
    isVisible: true,
  })) satisfies OperationStep[]
  if (!canUndo(steps, caller)) return null
  const isCertain =
    isStaff(caller.level) &&
    steps.every(({ model, action }) => UNDOING[action].by !== 'delete' || !model.deleteOnly)
  if (isCertain) return operationId
  return (await undoableOf(write, [operationId])).has(operationId) ? operationId : null
}
