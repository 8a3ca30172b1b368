import type { JsonSchema } from '@gatehouse/model'

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
