import {
  canSee,
  canSort,
  fieldsOf,
  type Access,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { CONDITIONS_MAX } from '#engine/query/filter.ts'
import { CURSOR_SCHEMA, PAGE_SIZE_MAX, SEARCH_SCHEMA } from '#engine/query/list-query.ts'
import { filterSchema } from './filter-schema.ts'

export const TOKEN_OPTIONAL = { security: [{}, { bearer: [] }] }

export const ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
}

export const OPERATION_ID = {
  'operation-id': {
    description: 'Pass to /api/operations/{id}/undo. Absent if nothing changed.',
    schema: { type: 'string', format: 'uuid' },
  },
}

export const MAILED = {
  mailed: {
    description: 'Whether the action queued an email',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
}

export const json = (schema: JsonSchema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

export const body = (schema: JsonSchema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

export const problems = (...statuses: number[]) =>
  Object.fromEntries(
    [...statuses, 401, 403, 405, 429, 431, 500, 503].map((status) => [
      status,
      ref('responses', 'Problem'),
    ]),
  )

export const ref = (kind: 'schemas' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes retries safe: the same key and body return the first response for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

export const ACTS_ONCE =
  'Makes retries safe: for 24 hours the same key and body return the record as it is now.'

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description:
    'ETag of the version you read; 412 if it has changed. Without it the write is unconditional.',
  schema: { type: 'string', pattern: '^("[0-9]+"|\\*)$' },
}

export const TRASH = {
  name: 'trash',
  in: 'query',
  description: 'Records in the trash instead of live ones. Needs the right to delete.',
  allowEmptyValue: true,
  schema: { type: 'boolean' },
}

export const BEFORE_VERSION = {
  name: 'before',
  in: 'query',
  description: '`next` of the previous page.',
  allowEmptyValue: true,
  schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
}

/** Parameters that decide a list's records and their order. */
export const placingParameters = (model: Model, level: Access) =>
  listParameters(model, level).filter(({ name }) => ['sort', 'filter', 'q'].includes(name))

export function listParameters(model: Model, level: Access) {
  const sortable = fieldsOf(model)
    .filter(([name]) => canSort(model, name, level))
    .map(([name]) => name)
  const query = (name: string, schema: JsonSchema, description: string) => ({
    name,
    in: 'query',
    description,
    // A form sends an untouched field as an empty value.
    allowEmptyValue: true,
    schema,
  })
  return [
    query(
      'limit',
      { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: 25 },
      'Records per page.',
    ),
    query('after', CURSOR_SCHEMA, '`next` cursor of the previous page.'),
    query(
      'before',
      CURSOR_SCHEMA,
      '`previous` cursor of the next page. Not together with `after`.',
    ),
    {
      name: 'filter',
      in: 'query',
      description: `Conditions as JSON, such as {"all":[["status","eq","Open"]]}. "all" and "any" can be nested; at most ${CONDITIONS_MAX} conditions.`,
      allowEmptyValue: true,
      content: {
        'application/json': { schema: filterSchema(ref('schemas', `${model.path}-condition`)) },
      },
    },
    query(
      'total',
      { type: 'string', enum: ['capped', 'exact', 'none'] },
      'How to count: up to 1,000 (default), exactly, or not at all.',
    ),
    ...(sortable.length > 0
      ? [
          query(
            'sort',
            { type: 'string', enum: sortable.flatMap((name) => [name, `-${name}`]) },
            'Field to sort by; a leading - sorts in descending order.',
          ),
        ]
      : []),
    ...(fieldsOf(model).some(([, field]) => field.searchable && canSee(field, level))
      ? [query('q', SEARCH_SCHEMA, 'Text to search for, at least three characters.')]
      : []),
  ]
}
