import {
  visibleFields,
  type Access,
  type Field,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#db.ts'
import { revisions, subjectRefs } from '#table.ts'
import { getRecord, type Reading } from './read.ts'

const STEPS_MAX = 200

/** People see what happened to what is theirs. What a public record was before it was published is the admins' matter. */
export const hasHistory = (model: Model, level: Access) =>
  level === 'admin' || (level === 'user' && model.rowScope !== null)

export const HISTORY_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          version: { type: 'integer' },
          action: { type: 'string', enum: ['create', 'update', 'delete'] },
          at: { type: 'string', format: 'date-time' },
          isYou: { type: 'boolean' },
          changes: {
            type: 'array',
            items: {
              type: 'object',
              properties: { field: { type: 'string' }, before: {}, after: {} },
              required: ['field', 'before', 'after'],
            },
          },
        },
        required: ['version', 'action', 'at', 'isYou', 'changes'],
      },
    },
  },
  required: ['items'],
}

/** One change of a record, as the caller may know it. */
type Step = {
  version: number
  action: string
  at: string
  /** Was it the caller? Who else it was is for admins alone, and not here. */
  isYou: boolean
  changes: { field: string; before: unknown; after: unknown }[]
}

/**
 * What happened to a record, newest first: only to a record the caller sees, only in fields the caller sees. Where a
 * relation led is left out, because what the caller may see of the other record may have changed since.
 */
export async function historyOf(reading: Reading, id: string): Promise<Step[]> {
  await getRecord(reading, id)
  const { tx, model, caller } = reading
  const fields = visibleFields(model, caller.level).filter(
    ([, field]) => field.type !== 'relation' || caller.level === 'admin',
  )
  const rows = await tx.query(
    sql`select version, action, at, before, after,
        actor_ref is not null and actor_ref = (select ref from ${subjectRefs} where sub = ${caller.visitor?.sub ?? null}) as mine
      from ${revisions} where model = ${model.path} and record_id = ${id} order by version desc limit ${STEPS_MAX}`,
    'prepared',
  )
  return rows.map((row) => toStep(row, fields))
}

const toStep = (row: Row, fields: [string, Field][]): Step => ({
  version: Number(row['version']),
  action: String(row['action']),
  at: String(row['at']),
  isYou: row['mine'] === true,
  changes: fields.flatMap(([field]) => {
    const before = valueOf(row['before'], field)
    const after = valueOf(row['after'], field)
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ field, before, after }]
  }),
})

const valueOf = (values: unknown, field: string): unknown =>
  (values === null || values === undefined ? null : Reflect.get(Object(values), field)) ?? null
