import type { Access } from '#definition/access.ts'
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
      description: 'Display value of each relation',
      properties: Object.fromEntries(
        fields
          .filter(([, field]) => field.type === 'relation')
          .map(([name]) => [name, { type: 'string' }]),
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

const DELETED_AT: JsonSchema = {
  type: 'string',
  format: 'date-time',
  description: 'Only for records in the trash',
}
