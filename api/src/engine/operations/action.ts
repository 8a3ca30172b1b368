import { isStaff, problemMessages } from '@gatehouse/model'
import type { ModelAction } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#platform/db.ts'
import { conflict, recordNotFound } from '#platform/errors.ts'
import { revisions } from '#engine/history/history-tables.ts'
import { writeAuditEvent } from '#engine/history/audit-trail.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { behaviourOf } from '#engine/engine.ts'
import { hookContextOf, type WriteContext } from '#engine/write/run-hooks.ts'
import { fileChangesOf, lockAddedFiles } from '#engine/files/changed-files.ts'
import { lockForChange, lockTargets } from '#engine/write/lock.ts'
import { checkVersion, type ExpectedVersions } from '#engine/write/save.ts'
import { withKey } from '#engine/write/idempotency.ts'
import { requireValid, initialValues, toValues } from '#engine/write/input.ts'
import { getRecord } from '#engine/query/get-record.ts'
import { checkRelations } from '#engine/write/relations.ts'
import { canUndo, UNDOING, type OperationStep } from '#engine/history/operation.ts'
import { undoableOf } from '#engine/history/undo-eligibility.ts'

type ActionRequest = {
  name: string
  action: ModelAction
  id: string
  input: Row
  key: string | undefined
  ifMatch: ExpectedVersions
}

type ActionResult = {
  record: RecordRow
  revisionId: string | null
  operationId: string | null
  /** Null in a repeat whose key was stored by an older release. */
  isMailed: boolean | null
}

/**
 * Runs an action, once per idempotency key. A repeat returns the current record under the caller's current rights, and
 * the first operation.
 */
export const runAction = (write: WriteContext, requested: ActionRequest): Promise<ActionResult> => {
  const { name, action, id } = requested
  const input = readInput(write, requested)
  return withKey(write, {
    key: requested.key,
    request: [write.model.path, name, id, requested.input],
    run: async () => {
      await lockTargets({ ...write, model: formOf(write, action) }, input.values)
      const { row: record, isApplicable } = await lockForChange(write, id, { name, action })
      await requireTargets(write, action, input)
      if (!record) throw recordNotFound()
      await checkVersion(write, id, record, requested.ifMatch)
      // Checked on the locked row: if two callers close a ticket concurrently, one gets 409.
      if (!isApplicable) throw conflict('not-now', problemMessages.notNow)
      const change = { ...hookContextOf(write), record, previous: record, input: input.values }
      await actionOf(write, name)(change)
      const revisionId = write.work.changes[0]?.revisionId ?? null
      // An action that changes no record needs an audit row too.
      if (revisionId === null)
        await writeAuditEvent(write.tx, { ...auditFieldsOf(write), action: name, entityId: id })
      return { revisionId, isMailed: write.work.isMailed() }
    },
    respond: async ({ revisionId, isMailed }): Promise<ActionResult> => ({
      record: await getRecord(write, id),
      revisionId,
      operationId: revisionId === null ? null : await undoableOperation(write),
      isMailed,
    }),
    proofOf: ({ revisionId, isMailed }) =>
      revisionId === null ? null : { id, revisionId, status: 200, isConfirmed: isMailed },
    replay: async ({ revisionId, isConfirmed }) => {
      const record = await getRecord(write, id)
      const operationId = await undoable(write, revisionId)
      return { record, revisionId, operationId, isMailed: isConfirmed }
    },
  })
}

const auditFieldsOf = ({ model, actor, requestId }: WriteContext) => ({
  entity: model.path,
  actor,
  requestId,
})

function actionOf(write: WriteContext, name: string) {
  const run = behaviourOf(write).actions[name]
  if (!run) throw new Error(`no function for the action "${name}" of "${write.model.path}"`)
  return run
}

/** Lets helpers that take a model handle the action's fields. */
const formOf = ({ model }: Pick<WriteContext, 'model'>, action: ModelAction) => ({
  ...model,
  fields: action.fields ?? {},
})

type Input = { values: Row; sent: string[] }

function readInput(
  { engine, model, caller }: WriteContext,
  { action, input }: ActionRequest,
): Input {
  const form = formOf({ model }, action)
  const given = toValues(form, caller, input)
  return {
    values: { ...initialValues(form, caller, engine.site), ...given },
    sent: Object.keys(given),
  }
}

/**
 * Relations in the input must be visible to the caller, and files must be the caller's own uploads: whatever the function takes
 * out of a record, only the server itself may put into another one.
 */
async function requireTargets(write: WriteContext, action: ModelAction, { values, sent }: Input) {
  const model = formOf(write, action)
  requireValid(await checkRelations({ ...write, model }, values, { before: null, sent }))
  await lockAddedFiles(write.tx, {
    model,
    recordId: null,
    changes: fileChangesOf({ model, names: sent, before: null, after: values }),
    actorRef: write.actor.ref,
    moved: new Set(),
  })
}

/** The revision's operation, if the caller may undo it. */
async function undoable(write: WriteContext, revisionId: string | null) {
  const [row] = await write.tx.query(
    sql<{ operation: string }>`select operation_id as operation from ${revisions}
      where id = ${revisionId}`,
    'prepared',
  )
  if (!row) return null
  const { operation } = row
  return (await undoableOf(write, [operation])).has(operation) ? operation : null
}

/** The current operation, if the caller may undo it. No other record can refer to those it has just created. */
async function undoableOperation(write: WriteContext): Promise<string | null> {
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
