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

/** Who has no token is welcome too. */
export const TOKEN_OPTIONAL = { security: [{}, { bearer: [] }] }

export const ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
}

export const OPERATION_ID = {
  'operation-id': {
    description: 'What to undo. Absent if there is nothing to undo',
    schema: { type: 'string', format: 'uuid' },
  },
}

export const json = (schema: JsonSchema) => ({
  description: 'Done',
  content: { 'application/json': { schema } },
})

export const body = (schema: JsonSchema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

/** What any request may meet, and what this one may meet besides. */
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
  description: 'Repeats with the same key and body get the first answer, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

export const ACTS_ONCE =
  'Makes retries safe: for 24 hours the same key and body return the record as it is now'

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the record as you read it; without it the change is unconditional',
  schema: { type: 'string', pattern: '^("[0-9]+"|\\*)$' },
}

export const TRASH = {
  name: 'trash',
  in: 'query',
  description: 'What is in the trash instead',
  allowEmptyValue: true,
  schema: { type: 'boolean' },
}

export const BEFORE_VERSION = {
  name: 'before',
  in: 'query',
  description: '`next` of the page before',
  allowEmptyValue: true,
  schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
}

/** Those that decide which records a list holds, and in which order. */
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
    // As a form sends a field that was left alone.
    allowEmptyValue: true,
    schema,
  })
  return [
    query(
      'limit',
      { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: 25 },
      'Records on a page',
    ),
    query('after', CURSOR_SCHEMA, 'The cursor `next` of the page before'),
    query('before', CURSOR_SCHEMA, 'The cursor `previous` of the page after; not with `after`'),
    {
      name: 'filter',
      in: 'query',
      description: `Conditions as JSON: {"all":[["status","eq","Open"]]}, also "any", and one inside the other; at most ${CONDITIONS_MAX} in all`,
      allowEmptyValue: true,
      content: {
        'application/json': { schema: filterSchema(ref('schemas', `${model.path}-condition`)) },
      },
    },
    query('total', { type: 'string', enum: ['capped', 'exact', 'none'] }, 'How far to count'),
    ...(sortable.length > 0
      ? [
          query(
            'sort',
            { type: 'string', enum: sortable.flatMap((name) => [name, `-${name}`]) },
            'A field to sort by, with - in front for descending',
          ),
        ]
      : []),
    ...(fieldsOf(model).some(([, field]) => field.searchable && canSee(field, level))
      ? [query('q', SEARCH_SCHEMA, 'A text to search for, of three characters at least')]
      : []),
  ]
}
