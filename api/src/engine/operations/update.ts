import {
  isStaff,
  canWrite,
  fieldsOf,
  isStamped,
  type Access,
  type JsonSchema,
  type Model,
  fieldMessages,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { lockForChange, lockTargets } from '#engine/write/lock.ts'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import type { FastifyRequest } from 'fastify'
import type { Row } from '#platform/db.ts'
import { invalidRecord, recordNotFound } from '#platform/errors.ts'
import { revisions } from '#engine/history/tables.ts'
import type { ChangeAction } from '#engine/history/trace.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { validate } from '#platform/http/validate.ts'
import { after, before, type WriteContext } from '#engine/write/run-hooks.ts'
import { normalise, resolveRecord, toValues } from '#engine/write/input.ts'
import {
  checkVersion,
  findLocked,
  lockRecord,
  save,
  type ExpectedVersions,
} from '#engine/write/save.ts'
import { withLabels } from '#engine/query/read.ts'
import { visibleThen } from '#engine/query/visibility.ts'

type Update = { body: Row; ifMatch: ExpectedVersions }

/** Writes the fields that differ. An unchanged save keeps the version and writes no revision: null. */
export async function updateRecord(write: WriteContext, id: string, { body, ifMatch }: Update) {
  const { model, caller } = write
  await lockTargets(write, body, id)
  const { row: previous } = await lockForChange(write, id)
  if (!previous) throw recordNotFound()
  await checkVersion(write, id, previous, ifMatch)
  const given = await keepHidden(write, previous, toValues(model, caller, body, previous))
  const sent = Object.keys(given)
  const isUnconditional = ifMatch === undefined
  const row = await change(write, previous, { given, sent, rights: caller, isUnconditional })
  return { row: row ?? previous, isChanged: row !== null }
}

/** Updates a record on behalf of the server, without permission checks. Returns it; null if it doesn't exist. */
export async function updateAsSystem(write: WriteContext, id: string, values: Row) {
  const previous = await findLocked({ ...write, caller: SYSTEM }, id)
  if (!previous) return null
  const given = normalise(write.model, values, previous)
  const asked = { given, sent: [], rights: SYSTEM, isUnconditional: false }
  return (await change(write, previous, asked)) ?? previous
}

type ChangeRequest = { given: Row; sent: string[]; rights: Caller; isUnconditional: boolean }

async function change(
  write: WriteContext,
  previous: RecordRow,
  { given, sent, rights, isUnconditional }: ChangeRequest,
) {
  const wanted = { ...previous, ...given }
  const decided = await before(write, 'update', { record: wanted, previous })
  const record = await resolveRecord(
    write,
    { record: { ...wanted, ...decided }, previous },
    { event: 'update', sent, rights },
  )
  const written = await save(write, previous, record, isUnconditional)
  if (written) await after(write, 'update', { record: written, previous })
  return written
}

/** A relation that reads as null because its target is invisible is kept when null is sent back. */
async function keepHidden(write: WriteContext, previous: RecordRow, given: Row) {
  const emptied = fieldsOf(write.model).filter(
    ([name, { type }]) => type === 'relation' && given[name] === null && previous[name] !== null,
  )
  if (emptied.length === 0) return given
  const seen: Row = await withLabels(write, previous, emptied)
  const hidden = emptied.map(([name]) => name).filter((name) => seen[name] === null)
  return Object.fromEntries(Object.entries(given).filter(([name]) => !hidden.includes(name)))
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

/** The same for one model and access level; the trash needs the right to delete. */
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
  const body = validate(request, {
    body: request.body ?? {},
    labels: { version: { label: 'Version' }, fields: { label: 'Fields' } },
    schema: RESTORE_SCHEMA,
  }) as { version?: number; fields?: string[] }
  if (body.fields && body.version === undefined)
    throw invalidRecord([{ field: 'version', message: fieldMessages.versionRequired }])
  return { version: body.version ?? null, fields: body.fields ?? null }
}

type Wanted = {
  version: number
  /** Null: all fields the caller may write. */
  fields: string[] | null
  ifMatch: ExpectedVersions
  /** Validates a body like an update's. */
  fit: (body: Row) => Promise<Row>
}

/** Resets fields to a version: an update like any other. False if nothing differs. */
export async function restoreVersion(write: WriteContext, id: string, wanted: Wanted) {
  const row = await lockRecord(write, id)
  await checkVersion(write, id, row, wanted.ifMatch)
  const names = requireWritable(write, wanted.fields)
  const then = await stateAfter(write, row, wanted.version)
  const body = Object.fromEntries(names.map((name) => [name, then[name] ?? null]))
  return updateRecord(write, id, { body: await wanted.fit(body), ifMatch: wanted.ifMatch })
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
    sql<PastStep>`select action, before, ${visibleThen(write, 'step')} is true as "isVisible" from ${revisions} step
      where model = ${model.path} and record_id = ${row.id} and version >= ${version} order by version desc`,
    'prepared',
  )
  const wanted = steps.pop()
  if (!wanted?.isVisible || steps.length !== row.version - version)
    throw invalidRecord([{ field: 'version', message: fieldMessages.versionNotFound }])
  const then = steps
    .filter(({ action }) => action === 'update')
    .reduce<Row>((state, { before }) => ({ ...state, ...before }), row)
  if (isStaff(caller.level)) return then
  // For non-admins, relations to invisible records read as empty, then as now.
  return withLabels(write, then, fieldsOf(model))
}
