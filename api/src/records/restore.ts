import {
  canWrite,
  fieldsOf,
  isStamped,
  type Access,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Row } from '#db.ts'
import { invalidRecord } from '#errors.ts'
import { revisions } from '#table.ts'
import { requireFit } from '#validate.ts'
import { checkVersion, lockRecord, type Changing } from './change.ts'
import { present } from './read.ts'
import { visibleThen } from './scope.ts'
import { updateWithSteps } from './steps.ts'

const FIELDS_MAX = 200

const RESTORE_SCHEMA = {
  type: 'object',
  description:
    'Nothing: out of the trash, with what left together. A version: fields as they were after it, or all',
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

/** The same for one model and somebody on this level, as far as they may: a trash is for those who delete. */
export function restoreSchema(
  model: Model,
  level: Access,
  can: Record<'delete' | 'update', boolean>,
) {
  const { version, fields } = RESTORE_SCHEMA.properties
  const items = { type: 'string', enum: writableFields(model, level) }
  return {
    ...RESTORE_SCHEMA,
    properties: can.update ? { version, fields: { ...fields, items } } : {},
    ...(can.delete ? {} : { required: ['version'] }),
    ...(can.update ? { dependentRequired: { fields: ['version'] } } : {}),
  }
}

/** What is asked for; an empty body asks for what was deleted. */
export function readRestore(request: FastifyRequest) {
  const body = requireFit(request, {
    body: request.body ?? {},
    labels: { version: { label: 'Version' }, fields: { label: 'Fields' } },
    schema: RESTORE_SCHEMA,
  }) as { version?: number; fields?: string[] }
  if (body.fields && body.version === undefined)
    throw invalidRecord([{ field: 'version', message: 'Version is required.' }])
  return { version: body.version ?? null, fields: body.fields ?? null }
}

type Wanted = {
  version: number
  /** Null: all that the caller may write. */
  fields: string[] | null
  ifMatch: string | undefined
  /** Lets pass what a body of a change may hold. */
  fit: (body: Row) => Promise<Row>
}

/** Writes fields as they were after a version: a change like any other, with the same rules. False if it was one. */
export async function restoreVersion(changing: Changing, id: string, wanted: Wanted) {
  const row = await lockRecord(changing, id)
  await checkVersion(changing, id, row, wanted.ifMatch)
  const names = requireWritable(changing, wanted.fields)
  const then = await stateAfter(changing, row, wanted.version)
  const body = Object.fromEntries(names.map((name) => [name, then[name] ?? null]))
  return updateWithSteps(changing, id, await wanted.fit(body), wanted.ifMatch)
}

/** One sentence for what does not exist, what is hidden and what may not be written, as for a body. */
function requireWritable({ model, caller: { level } }: Changing, names: string[] | null) {
  const writable = writableFields(model, level)
  const wrong = names?.filter((name) => !writable.includes(name)) ?? []
  if (wrong.length > 0)
    throw invalidRecord(wrong.map((field) => ({ field, message: `"${field}" can not be set.` })))
  return names ?? writable
}

const writableFields = (model: Model, level: Access) =>
  fieldsOf(model)
    .filter(([, field]) => canWrite(field, level) && !isStamped(field, level))
    .map(([name]) => name)

/** The record as it was after a version, walking back from how it is. */
async function stateAfter(changing: Changing, row: Row, version: number): Promise<Row> {
  const { tx, model, caller } = changing
  const steps = await tx.query(
    sql`select action, before, ${visibleThen(changing, 'step')} as "isVisible" from ${revisions} step
      where model = ${model.path} and record_id = ${row['id']} and version >= ${version} order by version desc`,
    'prepared',
  )
  const wanted = steps.pop()
  if (!wanted?.['isVisible'] || steps.length !== Number(row['version']) - version)
    throw invalidRecord([{ field: 'version', message: 'There is no such version.' }])
  const then = steps
    .filter(({ action }) => action === 'update')
    .reduce<Row>((state, { before }) => ({ ...state, ...(before as Row) }), row)
  if (caller.level === 'admin') return then
  // To everyone else a relation that led to what they may not see reads as empty, then as now.
  const [seen] = await present(
    changing,
    [then],
    fieldsOf(model).filter(([, { type }]) => type === 'relation'),
  )
  return seen ?? then
}
