import {
  canWrite,
  fieldMessages,
  fieldsOf,
  isStaff,
  isStamped,
  withPresentNames,
  type Access,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { isNotNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { SYSTEM } from '#engine/caller.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { revisions } from '#engine/history/history-tables.ts'
import type { ChangeAction } from '#engine/history/audit-trail.ts'
import { withLabels } from '#engine/query/get-record.ts'
import { visibleAtVersion } from '#engine/query/visibility.ts'
import type { Referrer } from '#engine/referrers.ts'
import { requireValid } from '#engine/write/input.ts'
import { lockParents, requireParents } from '#engine/write/relations.ts'
import {
  after,
  before,
  validate as runValidate,
  type WriteContext,
} from '#engine/write/run-hooks.ts'
import { checkVersion, lockRecord, LOCKS, type ExpectedVersions } from '#engine/write/save.ts'
import {
  childrenAt,
  collectCascade,
  fireAll,
  nextVersion,
  moveFromTrash,
} from '#engine/write/trash.ts'
import type { Row } from '#platform/db.ts'
import { invalidRecord } from '#platform/errors.ts'
import { bodyOrEmpty, validateBody } from '#platform/http/request-body.ts'
import { readChanged, updateRecord, type Changed } from './update.ts'

/** Restores a record from the trash, with all records deleted by the same operation. */
export async function restoreFromTrash(
  write: WriteContext,
  id: string,
  ifMatch: ExpectedVersions,
): Promise<Changed> {
  const inTrash: WriteContext = { ...write, rows: 'trash' }
  await lockParents(write, id)
  const root = await lockRecord(inTrash, id)
  await checkVersion(inTrash, id, root, ifMatch)
  const operation = await deletedBy(write, root)
  const restored = await collectCascade(write, root, (referrer, ids) =>
    operation === null ? [] : childrenDeletedBy(write, { referrer, ids, operation }),
  )
  await fireAll(write, restored, (one, row) =>
    before(one, 'restore', { record: row, previous: row }),
  )
  for (const { model, rows } of restored)
    await moveFromTrash(
      { ...write, model },
      rows.map((row) => ({ row, isUnconditional: row === root && ifMatch === undefined })),
    )
  // Checked afterwards: a record may refer to itself. Children restored with it aren't checked against the caller's rights.
  await requireParents(write, [root])
  for (const { model, rows } of restored.slice(1))
    await requireParents({ ...write, model, caller: SYSTEM }, rows)
  await fireAll(write, restored, async (one, row) => {
    const state = { record: nextVersion(row), previous: row }
    requireValid(await runValidate(one, 'restore', state))
    await after(one, 'restore', state)
  })
  return readChanged(write, id, true)
}

async function deletedBy({ tx, model }: WriteContext, { id, version }: RecordRow) {
  const [revision] = await tx.query(
    sql<{ operation: string }>`select operation_id as operation from ${revisions}
      where model = ${model.path} and record_id = ${id} and version = ${version} and action = 'delete'`,
    'prepared',
  )
  return revision?.operation ?? null
}

type CascadeLookup = { referrer: Referrer; ids: string[]; operation: string }

/** Children whose latest version is their deletion by that operation. */
function childrenDeletedBy(
  { engine, tx }: WriteContext,
  { referrer, ids, operation }: CascadeLookup,
) {
  const table = tableOf(engine, referrer.model)
  return tx.query(
    sql<RecordRow>`${childrenAt(engine, referrer, { ids, rows: 'trash' })} and ${isNotNull(columnOf(table, 'deletedAt'))}
      and exists (select 1 from ${revisions} gone where gone.model = ${referrer.model.path}
        and gone.record_id = ${columnOf(table, 'id')} and gone.version = ${columnOf(table, 'version')}
        and gone.action = 'delete' and gone.operation_id = ${operation}) ${LOCKS.edit}`,
  )
}

const FIELDS_MAX = 200

const RESTORE_SCHEMA = {
  type: 'object',
  description:
    'Empty: restore from the trash, with everything deleted together. With a version: reset all or the named fields to it.',
  properties: {
    version: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    fields: {
      type: 'array',
      items: { type: 'string', maxLength: 100 },
      minItems: 1,
      maxItems: FIELDS_MAX,
    },
  },
  additionalProperties: false,
} satisfies JsonSchema

/** `RESTORE_SCHEMA` for one model and access level; the trash needs the right to delete. */
export function restoreSchema(
  model: Model,
  level: Access,
  can: Record<'delete' | 'update', boolean>,
) {
  const { version, fields } = RESTORE_SCHEMA.properties
  const names = writableFields(model, level)
  const some = { ...fields, items: { type: 'string', enum: names } }
  const ofVersion =
    names.length > 0
      ? { properties: { version, fields: some }, dependentRequired: { fields: ['version'] } }
      : { properties: { version } }
  return {
    ...RESTORE_SCHEMA,
    ...(can.update ? ofVersion : { properties: {} }),
    ...(can.delete ? {} : { required: ['version'] }),
  }
}

/** The requested restore; an empty body restores from the trash. */
export function readRestore(request: FastifyRequest) {
  const body = validateBody(request, {
    body: bodyOrEmpty(request),
    labels: { version: { label: 'Version' }, fields: { label: 'Fields' } },
    schema: RESTORE_SCHEMA,
  }) as { version?: number; fields?: string[] }
  if (body.fields && body.version === undefined)
    throw invalidRecord([{ field: 'version', message: fieldMessages.versionRequired }])
  return { version: body.version ?? null, fields: body.fields ?? null }
}

type RestoreRequest = {
  version: number
  /** Null: all fields the caller may write. */
  fields: string[] | null
  ifMatch: ExpectedVersions
  /** Validates a body like an update's. */
  fit: (body: Row) => Promise<Row>
}

/** As an update, so that rights, hooks and validation apply. */
export async function restoreVersion(write: WriteContext, id: string, request: RestoreRequest) {
  const row = await lockRecord(write, id)
  await checkVersion(write, id, row, request.ifMatch)
  const names = requireWritable(write, request.fields)
  const then = await stateAfter(write, row, request.version)
  const body = Object.fromEntries(names.map((name) => [name, then[name] ?? null]))
  return updateRecord(write, id, { body: await request.fit(body), ifMatch: request.ifMatch })
}

/** Unknown, hidden and read-only fields get the same error, as in a body. */
function requireWritable({ model, caller: { level } }: WriteContext, names: string[] | null) {
  const writable = writableFields(model, level)
  const wrong = names?.filter((name) => !writable.includes(name)) ?? []
  if (wrong.length > 0)
    throw invalidRecord(
      wrong.map((field) => ({ field, message: fieldMessages.notSettable(field) })),
    )
  return names ?? writable
}

const writableFields = (model: Model, level: Access) =>
  fieldsOf(model)
    .filter(([, field]) => canWrite(field, level) && !isStamped(field, level))
    .map(([name]) => name)

type PastStep = { action: ChangeAction; before: Row | null; isVisible: boolean }

/** The record as of a version, by applying revisions backwards. */
async function stateAfter(write: WriteContext, row: RecordRow, version: number): Promise<Row> {
  const { tx, model, caller } = write
  const steps = await tx.query(
    sql<PastStep>`select action, before, ${visibleAtVersion(write, 'step')} is true as "isVisible" from ${revisions} step
      where model = ${model.path} and record_id = ${row.id} and version >= ${version} order by version desc`,
    'prepared',
  )
  const target = steps.pop()
  if (!target?.isVisible || steps.length !== row.version - version)
    throw invalidRecord([{ field: 'version', message: fieldMessages.versionNotFound }])
  const then = steps
    .filter(({ action }) => action === 'update')
    .reduce<Row>(
      (state, { before }) => ({ ...state, ...withPresentNames(model, before ?? {}) }),
      row,
    )
  if (isStaff(caller.level)) return then
  // For non-admins, relations to invisible records read as empty, then as now.
  return withLabels(write, then, fieldsOf(model))
}
