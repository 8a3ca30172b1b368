import { hasTrash, levelOf } from '@gatehouse/model'
import { HttpError, unsupportedAction } from '#platform/errors.ts'
import {
  bodyOrEmpty,
  requireBody,
  requireChange,
  validateBody,
} from '#platform/http/request-body.ts'
import { confirmationHeaders } from '#platform/mail/confirmation-budget.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { compiledFor } from '#engine/engine.ts'
import { recordRead } from '#engine/security/request-audit.ts'
import { runAction } from '#engine/operations/action.ts'
import { createRecord } from '#engine/operations/create.ts'
import type { WriteContext } from '#engine/write/run-hooks.ts'
import { purgeRecord } from '#engine/operations/purge.ts'
import { findLocked } from '#engine/write/save.ts'
import { runChange } from '#engine/operations/transaction.ts'
import { deleteRecord } from '#engine/operations/delete.ts'
import { readRestore, restoreFromTrash, restoreVersion } from '#engine/operations/restore.ts'
import { updateRecord } from '#engine/operations/update.ts'
import {
  headerOf,
  OPERATION_ID,
  readIfMatch,
  requireAccess,
  sendChanged,
  sendRecord,
  type RecordHandler,
  type RecordRequest,
  type ServedModel,
} from './record-handler.ts'

export const create: RecordHandler = async (served, request, reply) => {
  const { model, url } = served
  const created = await runOperation(served, request, async (write) =>
    createRecord(write, {
      body: requireBody(request, model.fields, compiledFor(write).create),
      key: headerOf(request, 'idempotency-key'),
    }),
  )
  reply.code(201).header('location', `${url}/${created.id}`)
  if (created.isUndoable) reply.header(OPERATION_ID, created.operationId)
  reply.headers(confirmationHeaders(created.isConfirmed))
  return sendRecord({ served, request, reply }, created.record)
}

export const update: RecordHandler = async (served, request, reply) => {
  const changed = await runOperation(served, request, async (write) => {
    const body = await validatorFor(served, write, request)(request.body)
    return updateRecord(write, request.params.id, { body, ifMatch: readIfMatch(request) })
  })
  return sendChanged({ served, request, reply }, changed)
}

export const remove: RecordHandler = async (served, request, reply) => {
  const operationId = await runOperation(served, request, async (write) => {
    await deleteRecord(write, request.params.id, readIfMatch(request))
    return write.operationId
  })
  return reply.code(204).header(OPERATION_ID, operationId).send()
}

export const restore: RecordHandler = async (served, request, reply) => {
  const { version, fields } = readRestore(request)
  requireAccess(served, request, version === null ? 'delete' : 'update')
  const { id } = request.params
  const ifMatch = readIfMatch(request)
  const changed = await runOperation(served, request, (write) =>
    version === null
      ? restoreFromTrash(write, id, ifMatch)
      : restoreVersion(write, id, {
          version,
          fields,
          ifMatch,
          fit: validatorFor(served, write, request),
        }),
  )
  return sendChanged({ served, request, reply }, changed)
}

export const purge: RecordHandler = async (served, request, reply) => {
  if (!hasTrash(served.model)) throw unsupportedAction('')
  await runOperation(served, request, (write) => purgeRecord(write, request.params.id))
  return reply.code(204).send()
}

export const actionHandler =
  (name: string): RecordHandler =>
  async (served, request, reply) => {
    const action = served.model.actions[name]
    if (!action) throw new Error(`"${served.model.path}" has no action "${name}"`)
    const changed = await runOperation(served, request, (write) =>
      runAction(write, {
        name,
        action,
        id: request.params.id,
        input: validateBody(request, {
          body: bodyOrEmpty(request),
          labels: action.fields ?? {},
          schema: compiledFor(write).actions[name] ?? {},
        }),
        key: headerOf(request, 'idempotency-key'),
        ifMatch: readIfMatch(request),
      }),
    )
    return sendChanged({ served, request, reply }, changed)
  }

const runOperation = <T>(
  { engine, limits, model }: ServedModel,
  request: RecordRequest,
  run: (write: WriteContext) => Promise<T>,
) =>
  runChange({ engine, limits }, request, (context) => run({ ...context, model })).catch(
    (error: unknown) => {
      // A conflict response contains the current record, so it counts as read.
      const current = error instanceof HttpError ? error.extra.current : undefined
      if (current !== undefined)
        recordRead({ request, model, level: levelOf(request.visitor) }, current as RecordRow)
      throw error
    },
  )

const validatorFor =
  ({ model }: ServedModel, write: WriteContext, request: RecordRequest) =>
  (body: unknown) =>
    requireChange(request, {
      body,
      labels: model.fields,
      schema: compiledFor(write).update,
      stored: () => findLocked(write, request.params.id),
    })
