import type { Access } from '#definition/access.ts'
import { FILE_STATES } from '#definition/file-states.ts'
import { isFile, isRelation } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import { listFields, visibleFields, type Model } from '#definition/model.ts'
import { readValueSchema, type JsonSchema } from './value-schema.ts'

export const readSchema = (model: Model, level: Access): JsonSchema =>
  recordSchema(visibleFields(model, level))

export const itemSchema = (model: Model, level: Access): JsonSchema =>
  recordSchema(listFields(model, level))

export const listSchema = (model: Model, level: Access): JsonSchema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items: itemSchema(model, level) },
    next: { type: ['string', 'null'], description: 'Cursor of the next page; pass as `after`' },
    previous: {
      type: ['string', 'null'],
      description: 'Cursor of the previous page; pass as `before`',
    },
    total: {
      type: ['object', 'null'],
      description: 'Counted up to 1,000 unless `total=exact`',
      properties: { count: { type: 'integer' }, exact: { type: 'boolean' } },
      required: ['count', 'exact'],
      additionalProperties: false,
    },
  },
  required: ['items', 'next', 'previous', 'total'],
  additionalProperties: false,
})

const recordSchema = (fields: [string, Field][]): JsonSchema => {
  const properties: Record<string, JsonSchema> = {
    id: { type: 'string', format: 'uuid' },
    ...Object.fromEntries(fields.map(([name, field]) => [name, readValueSchema(field)])),
    labels: {
      type: 'object',
      description: fields.some(([, field]) => isFile(field))
        ? 'Display value of each relation, and the files of each field'
        : 'Display value of each relation',
      properties: Object.fromEntries(
        fields.flatMap(([name, field]) => {
          const label = labelSchema(field)
          return label ? [[name, label]] : []
        }),
      ),
      additionalProperties: false,
    },
    version: { type: 'integer' },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    sample: { type: 'boolean' },
  }
  return {
    type: 'object',
    properties: { ...properties, deletedAt: DELETED_AT },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const labelSchema = (field: Field): JsonSchema | null => {
  if (isRelation(field)) return { type: 'string' }
  return isFile(field) ? { type: 'array', items: FILE_SCHEMA } : null
}

/** A file as records show it; its bytes have links of their own. */
export const FILE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    type: { type: 'string', description: 'Media type, by content' },
    size: { type: 'integer', description: 'Bytes' },
    state: { type: 'string', enum: [...FILE_STATES] },
  },
  required: ['id', 'name', 'type', 'size', 'state'],
  additionalProperties: false,
}

const DELETED_AT: JsonSchema = {
  type: 'string',
  format: 'date-time',
  description: 'Only for records in the trash',
}
