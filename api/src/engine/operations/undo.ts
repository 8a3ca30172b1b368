import { isStaff, problemMessages } from '@gatehouse/model'
import type { Field, Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { ChangeAction } from '#engine/history/audit-trail.ts'
import type { Row } from '#platform/db.ts'
import { conflict, operationNotFound } from '#platform/errors.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { isUuid } from '#platform/uuid.ts'
import {
  after,
  before,
  validate,
  type OperationContext,
  type WriteContext,
} from '#engine/write/run-hooks.ts'
import { findAllLocked, save } from '#engine/write/save.ts'
import { runChange, type ChangeOptions } from './transaction.ts'
import { SYSTEM } from '#engine/caller.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { tableOf } from '#engine/engine.ts'
import {
  mayUndo,
  outdatedValue,
  readSteps,
  UNDOING,
  type OperationStep,
} from '#engine/history/operation.ts'
import { actorNames } from '#engine/history/actors.ts'
import { withTrash } from '#engine/query/get-record.ts'
import { parentsFirst } from '#engine/referrers.ts'
import { requireParents } from '#engine/write/relations.ts'
import {
  checkDeleteOnly,
  checkUnused,
  idOf,
  moveToTrash,
  moveFromTrash,
  type Group,
} from '#engine/write/trash.ts'
import { ADMIN, OWNER, accessError, USER } from '#platform/http/access-level.ts'

const URL = '/api/operations/:id/undo'

/** Undoes an operation as a whole; the undo is itself an operation and can be undone. */
export function undoRoutes(app: FastifyInstance, options: ChangeOptions) {
  app.post<{ Params: { id: string } }>(URL, { config: { needs: USER } }, async (request, reply) => {
    const answer = await runChange(options, request, (context) => undo(context, request.params.id))
    reply.header('operation-id', answer.operation)
    return answer
  })

  refuseOtherMethods(app, URL, ['POST'], 'POST')
}

async function undo(context: OperationContext, operation: string) {
  const steps = await findSteps(context, operation)
  requireRights(context, steps)
  const rows = await lockUntouched(context, steps)
  await fireBefore(context, steps, rows)
  for (const run of runsOf(steps)) await revert(context, run)
  await fireAfter(context, await requireIntegrity(context, steps), rows)
  return {
    operation: context.operationId,
    undone: steps.map(({ model, recordId, action }) => ({
      model: model.path,
      id: recordId,
      action: UNDOING[action].by,
    })),
  }
}

/** Newest first. Unknown, invisible and other users' operations get the same 404. */
async function findSteps(context: OperationContext, operation: string) {
  const { caller, actor } = context
  const steps = isUuid(operation) ? await readSteps(context, [operation]) : []
  const isOwn = steps.every(({ actorRef }) => actorRef === actor.ref)
  // First: steps the caller can't see must not change the response, or it would reveal them.
  if (isOwn && !isStaff(caller.level) && !isBelow(caller))
    requireRights(
      context,
      steps.filter(({ isVisible }) => isVisible),
    )
  const isTheirs = isStaff(caller.level) || (isOwn && steps.every(({ isVisible }) => isVisible))
  if (steps.length > 0 && isTheirs) return steps
  // Admins with a weak sign-in can't see their own changes as admins.
  throw isBelow(caller) ? accessError(caller.visitor, ADMIN) : operationNotFound()
}

function requireRights({ caller }: OperationContext, steps: OperationStep[]) {
  if (steps.some(({ model, action }) => model.without.includes(UNDOING[action].needs)))
    throw conflict('not-undoable', problemMessages.notUndoable)
  if (!mayUndo(steps, caller))
    throw accessError(caller.visitor, isStaff(caller.level) || isBelow(caller) ? OWNER : ADMIN)
  for (const step of steps) {
    const outdated = outdatedValue(step)
    if (outdated)
      throw conflict('not-undoable', problemMessages.notUndoableBecause(reasonOf(outdated)))
  }
}

const reasonOf = ({ field, value }: { field: Field; value: unknown }) =>
  value === null
    ? problemMessages.requiredByNow(field.label)
    : problemMessages.noOptionByNow(field.label)

/** An admin whose sign-in grants only a user's rights. */
const isBelow = ({ visitor, level }: OperationContext['caller']) =>
  !isStaff(level) && isStaff(visitor?.proof.claimed ?? 'public')

/** Locks everything before anything is undone, parents before children. Returns the rows by id. */
async function lockUntouched(context: OperationContext, steps: OperationStep[]) {
  const rows: RowsById = new Map()
  for (const { model, ids } of byModel(context, steps)) {
    const write = { ...context, model }
    const goes = steps.some((step) => step.model === model && UNDOING[step.action].by === 'delete')
    const found = await findAllLocked(
      { ...write, ...withTrash(write) },
      ids,
      goes ? 'delete' : 'edit',
    )
    for (const row of found) rows.set(row.id, row)
  }
  for (const { model, recordId, version } of latestPerRecord(steps)) {
    const row = rows.get(recordId)
    if (!row) throw operationNotFound()
    if (row.version === version) continue
    const who = await whoChanged({ ...context, model }, row)
    throw conflict('changed-since', problemMessages.changedSince(who))
  }
  return rows
}

type RowsById = Map<string, RecordRow>

/** Fires once per record, even if the operation changed it several times: with the current and the future values. */
async function fireBefore(context: OperationContext, steps: OperationStep[], rows: RowsById) {
  for (const { model, recordId } of latestPerRecord(steps)) {
    const previous: Row = rows.get(recordId) ?? {}
    const record = steps
      .filter((step) => step.recordId === recordId && step.action === 'update')
      .reduce((state, step) => ({ ...state, ...step.before }), previous)
    await before({ ...context, model }, 'undo', { record, previous })
  }
}

/** Restored values must pass today's rules; otherwise the undo is rejected. */
async function fireAfter(context: OperationContext, groups: Group[], rows: RowsById) {
  const whole = groups.flatMap(({ model, rows: found }) =>
    found.map((record) => ({
      write: { ...context, model },
      state: { record, previous: rows.get(idOf(record)) ?? null },
    })),
  )
  for (const { write, state } of whole) {
    const [error] = state.record.deletedAt === null ? await validate(write, 'undo', state) : []
    if (error) throw conflict('not-undoable', problemMessages.notUndoableBecause(error.message))
  }
  for (const { write, state } of whole) await after(write, 'undo', state)
}

const byModel = ({ engine }: OperationContext, steps: OperationStep[]) =>
  parentsFirst(engine).flatMap((model) => {
    const ids = steps.filter((step) => step.model === model).map(({ recordId }) => recordId)
    return ids.length === 0 ? [] : [{ model, ids: [...new Set(ids)] }]
  })

/** One operation may change a record several times: its last version must still be current. */
const latestPerRecord = (steps: OperationStep[]) =>
  steps.filter(
    (step, index) => steps.findIndex((other) => other.recordId === step.recordId) === index,
  )

async function whoChanged(write: WriteContext, { id }: RecordRow) {
  const [last] = await write.tx.query(
    sql<{ ref: string | null }>`
      select updated_by_ref as ref from ${tableOf(write.engine, write.model)} where id = ${id}`,
  )
  const ref = last?.ref ?? null
  const { name, isYou } = (await actorNames(write, [ref]))(ref)
  return isYou ? 'you' : (name ?? 'someone')
}

type Run = { model: Model; action: ChangeAction; steps: OperationStep[] }

/** Consecutive steps of one kind are undone in one batch; updates one by one, as a record may occur twice. */
function runsOf(steps: OperationStep[]) {
  const runs: Run[] = []
  for (const step of steps) {
    const { model, action } = step
    const last = runs.at(-1)
    if (last?.model === model && last.action === action && action !== 'update')
      last.steps.push(step)
    else runs.push({ model, action, steps: [step] })
  }
  return runs
}

async function revert(context: OperationContext, { model, action, steps }: Run) {
  const write = { ...context, model }
  const found = await findAllLocked(
    asSystem(write),
    steps.map(({ recordId }) => recordId),
  )
  const rows = new Map(found.map((row) => [row.id, row]))
  const undoing = steps.map((step) => {
    const row = rows.get(step.recordId)
    if (!row) throw operationNotFound()
    return { row, before: step.before }
  })
  await REVERT[action](write, undoing)
}

const asSystem = (write: WriteContext): WriteContext => ({
  ...write,
  caller: SYSTEM,
  rows: 'any',
})

type Reverted = { row: RecordRow; before: OperationStep['before'] }
type Revert = (write: WriteContext, undoing: Reverted[]) => Promise<void>

/** Restores all values, computed and hidden ones too, without recomputing anything. */
const REVERT: Record<ChangeAction, Revert> = {
  async create(write, undoing) {
    await checkDeleteOnly(
      write,
      undoing.map(({ row }) => row.id),
    )
    await moveToTrash(write, undoing)
  },
  async update(write, undoing) {
    for (const { row, before } of undoing) await save(write, row, { ...row, ...before }, false)
  },
  delete: (write, undoing) => moveFromTrash(write, undoing),
  restore: (write, undoing) =>
    moveToTrash(
      write,
      undoing.map(({ row, before }) => ({ row, since: String(before?.deletedAt) })),
    ),
}

/** Integrity check after everything is undone, because steps depend on each other. Returns the records. */
async function requireIntegrity(context: OperationContext, steps: OperationStep[]) {
  const groups: Group[] = []
  for (const { model, ids } of byModel(context, steps)) {
    const write = asSystem({ ...context, model })
    const rows = await findAllLocked(write, ids)
    const { live = [], trashed = [] } = Object.groupBy(rows, (row) =>
      row.deletedAt === null ? 'live' : 'trashed',
    )
    await requireParents({ ...context, model, caller: SYSTEM }, live)
    await checkUnused(write, trashed.map(idOf), ['restrict', 'cascade'])
    groups.push({ model, rows })
  }
  return groups
}
