import { describe, expect, test } from 'vitest'
import { breakingChanges, type OpenApi } from './diff.ts'

type Changes = {
  operation?: object
  request?: object
  response?: object
  components?: Record<string, unknown>
}

const document = ({ operation, request, response, components }: Changes = {}): OpenApi => ({
  info: { version: '1.0.0' },
  security: [],
  paths: {
    '/api/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: {
        operationId: 'update:things',
        'x-access': 'user',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            allowEmptyValue: true,
            schema: { type: 'integer', maximum: 100 },
          },
        ],
        requestBody: { content: { 'application/json': { schema: { ...BODY, ...request } } } },
        responses: {
          200: {
            headers: { etag: {} },
            content: { 'application/json': { schema: { ...ANSWER, ...response } } },
          },
          404: { $ref: '#/components/responses/Problem' },
        },
        ...operation,
      },
    },
  },
  components: components ?? {
    responses: {
      Problem: { content: { 'application/problem+json': { schema: { type: 'object' } } } },
    },
  },
})

const tuple = (names: string[], value: object) => ({
  type: 'array',
  prefixItems: [{ enum: names }, value],
  items: false,
})
const inJson = (schema: object) => ({
  name: 'limit',
  in: 'query',
  allowEmptyValue: true,
  content: { 'application/json': { schema } },
})
const BODY = {
  type: 'object',
  properties: {
    name: { type: ['string', 'null'], maxLength: 80 },
    kind: { type: 'string', enum: ['a', 'b'] },
    price: { type: 'number', minimum: 0, multipleOf: 0.01 },
    tags: { type: 'array', items: { type: 'string' } },
    rule: { anyOf: [tuple(['a', 'b'], { type: 'string' }), tuple(['c'], { type: 'boolean' })] },
  },
  required: ['kind'],
  additionalProperties: false,
}
const ANSWER = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    note: { type: 'string', format: 'date' },
    kind: { type: 'string', enum: ['a', 'b'] },
  },
  required: ['name', 'kind'],
  additionalProperties: false,
}
const field = (schema: object) => ({ request: { properties: { ...BODY.properties, ...schema } } })
const answer = (schema: object) => ({
  response: { properties: { ...ANSWER.properties, ...schema } },
})
const put = (doc: OpenApi) => doc.paths['/api/things/{id}'] as { put: Record<string, unknown> }

describe('breaking changes', () => {
  const [limit] = put(document()).put['parameters'] as object[]
  const responses = put(document()).put['responses'] as Record<string, object>
  const cases: [string, Changes | OpenApi, string, OpenApi?][] = [
    ['a path is removed', { ...document(), paths: {} }, 'is removed'],
    ['an operation is removed', { ...document(), paths: { '/api/things/{id}': {} } }, 'is removed'],
    ['an operation has another id', { operation: { operationId: 'x' } }, 'another operationId'],
    [
      'an operation requires a higher access level',
      { operation: { 'x-access': 'admin' } },
      'requires admin access',
    ],
    [
      'an operation requires a fresh sign-in',
      { operation: { 'x-step-up': 'fresh' } },
      'requires a fresh sign-in',
    ],
    [
      'an operation requires a token',
      { operation: { security: [{ bearer: [] }] } },
      'requires a token',
    ],
    [
      'a parameter may no longer be empty',
      { operation: { parameters: [{ ...limit, allowEmptyValue: false }] } },
      'query limit may no longer be empty',
    ],
    ['a parameter is removed', { operation: { parameters: [] } }, 'query limit is removed'],
    [
      'a parameter becomes required',
      { operation: { parameters: [{ ...limit, required: true }] } },
      'query limit is required',
    ],
    [
      'a new parameter is required',
      {
        operation: { parameters: [limit, { name: 'x', in: 'query', required: true, schema: {} }] },
      },
      'query x is required',
    ],
    [
      'a parameter has a lower maximum',
      { operation: { parameters: [{ ...limit, schema: { type: 'integer', maximum: 50 } }] } },
      'query limit: maximum differs',
    ],
    [
      'the body becomes required',
      {
        operation: {
          requestBody: { required: true, content: { 'application/json': { schema: BODY } } },
        },
      },
      'a body is required',
    ],
    [
      'a media type of the body is removed',
      { operation: { requestBody: { content: {} } } },
      'body as application/json is removed',
    ],
    [
      'a field of the body is removed',
      { request: { properties: { kind: BODY.properties.kind } } },
      'body.name is removed',
    ],
    [
      'a field becomes required',
      { request: { required: ['kind', 'name'] } },
      'body.name is required',
    ],
    [
      'a new field is required',
      { request: { properties: { ...BODY.properties, x: {} }, required: ['kind', 'x'] } },
      'body.x is required',
    ],
    [
      'additional fields are rejected',
      {},
      'additional fields are rejected',
      document({ request: { additionalProperties: true } }),
    ],
    [
      'a type is narrower',
      field({ name: { type: 'string', maxLength: 80 } }),
      'body.name: null does not fit string',
    ],
    [
      'a type differs',
      field({ kind: { type: 'integer', enum: ['a', 'b'] } }),
      'string does not fit integer',
    ],
    [
      'a number becomes an integer',
      field({ price: { ...BODY.properties.price, type: 'integer' } }),
      'number does not fit integer',
    ],
    [
      'an enum value is removed',
      field({ kind: { type: 'string', enum: ['a'] } }),
      'b is not among the values',
    ],
    [
      'a string becomes an enum',
      field({ name: { ...BODY.properties.name, enum: ['a'] } }),
      'limited to certain values',
    ],
    [
      'an upper limit is lower',
      field({ name: { ...BODY.properties.name, maxLength: 40 } }),
      'body.name: maxLength differs',
    ],
    [
      'a lower limit is higher',
      field({ price: { ...BODY.properties.price, minimum: 1 } }),
      'body.price: minimum differs',
    ],
    [
      'a limit is new',
      field({ name: { ...BODY.properties.name, minLength: 1 } }),
      'body.name: minLength differs',
    ],
    [
      'multipleOf is larger',
      field({ price: { ...BODY.properties.price, multipleOf: 0.05 } }),
      'body.price: multipleOf differs',
    ],
    [
      'a pattern is new',
      field({ name: { ...BODY.properties.name, pattern: '^a' } }),
      'body.name: pattern differs',
    ],
    [
      'a format is new',
      field({ name: { ...BODY.properties.name, format: 'email' } }),
      'body.name: format differs',
    ],
    [
      'the items of a list get a limit',
      field({ tags: { type: 'array', items: { type: 'string', maxLength: 5 } } }),
      'body.tags[]: maxLength differs',
    ],
    [
      'an alternative is removed',
      field({ rule: { anyOf: [tuple(['a', 'b'], { type: 'string' })] } }),
      'body.rule: anyOf differs',
    ],
    [
      'an item of a tuple gets a limit',
      field({
        rule: {
          anyOf: [
            tuple(['a', 'b'], { type: 'string', maxLength: 5 }),
            tuple(['c'], { type: 'boolean' }),
          ],
        },
      }),
      'body.rule: anyOf differs',
    ],
    [
      'a parameter is written as JSON',
      { operation: { parameters: [inJson({ type: 'object' })] } },
      'query limit: integer does not fit object',
    ],
    [
      'the JSON of a parameter gets a lower limit',
      { operation: { parameters: [inJson({ type: 'object', maxProperties: 1 })] } },
      'query limit: maxProperties differs',
      document({ operation: { parameters: [inJson({ type: 'object' })] } }),
    ],
    [
      'an unknown keyword differs',
      field({ name: { ...BODY.properties.name, not: {} } }),
      'body.name: not differs',
    ],
    [
      'a response is removed',
      { operation: { responses: { 200: responses['200'] } } },
      'response 404 is removed',
    ],
    [
      'success has a new status',
      { operation: { responses: { ...responses, 204: {} } } },
      'may succeed with 204',
    ],
    [
      'a response has another media type',
      { operation: { responses: { ...responses, 200: { headers: { etag: {} }, content: {} } } } },
      'response 200 as application/json is removed',
    ],
    [
      'a response header is removed',
      { operation: { responses: { ...responses, 200: { ...responses['200'], headers: {} } } } },
      'header etag of response 200 is removed',
    ],
    [
      'a response field is removed',
      { response: { properties: { kind: ANSWER.properties.kind } } },
      'response 200.name is removed',
    ],
    [
      'a response field may be absent',
      { response: { required: ['name'] } },
      'response 200.kind may be absent',
    ],
    [
      'a response field may be null',
      answer({ name: { type: ['string', 'null'] } }),
      'response 200.name: null does not fit string',
    ],
    [
      'a response field has another format',
      answer({ note: { type: 'string' } }),
      'response 200.note: format differs',
    ],
    [
      'a response field has new enum values',
      answer({ kind: { type: 'string', enum: ['a', 'b', 'c'] } }),
      'c is not among the values',
    ],
    [
      'the target of a reference differs',
      { components: { responses: { Problem: { content: {} } } } },
      'response 404 as application/problem+json is removed',
    ],
  ]
  test.each(cases)('breaking: %s', (_name, changes, message, before = document()) => {
    const after = 'paths' in changes ? changes : document(changes)
    expect(breakingChanges(before, after)).toContainEqual(expect.stringContaining(message))
  })
})

describe('compatible changes', () => {
  const parameters = put(document()).put['parameters'] as object[]
  const cases: [string, Changes | OpenApi][] = [
    ['no change', {}],
    ['a new path', { ...document(), paths: { ...document().paths, '/api/more': { get: {} } } }],
    [
      'a new parameter',
      { operation: { parameters: [...parameters, { name: 'x', in: 'query', schema: {} }] } },
    ],
    ['a new field of the body', field({ x: { type: 'string' } })],
    ['a field that becomes optional', { request: { required: [] } }],
    ['a wider type', field({ kind: { type: ['string', 'null'], enum: ['a', 'b', null] } })],
    [
      'another name in a tuple, and another alternative',
      field({
        rule: {
          anyOf: [
            tuple(['a', 'b', 'x'], { type: 'string' }),
            tuple(['c'], { type: 'boolean' }),
            tuple(['d'], { type: 'integer' }),
          ],
        },
      }),
    ],
    ['a higher limit', field({ name: { ...BODY.properties.name, maxLength: 200 } })],
    ['a removed limit', field({ name: { type: ['string', 'null'] } })],
    ['a smaller multipleOf', field({ price: { ...BODY.properties.price, multipleOf: 0.001 } })],
    ['another description', field({ name: { ...BODY.properties.name, description: 'New' } })],
    ['a lower access level', { operation: { 'x-access': 'public' } }],
    ['a new response field', answer({ x: { type: 'string' } })],
    [
      'a response field that becomes required',
      { response: { required: ['name', 'note', 'kind'] } },
    ],
    ['a response field that is never null', answer({ name: { type: 'string', minLength: 1 } })],
    ['fewer enum values in a response', answer({ kind: { type: 'string', enum: ['a'] } })],
    [
      'a new problem response',
      { operation: { responses: { ...(put(document()).put['responses'] as object), 409: {} } } },
    ],
  ]
  test.each(cases)('not breaking: %s', (_name, changes) => {
    const after = 'paths' in changes ? changes : document(changes)
    expect(breakingChanges(document(), after)).toEqual([])
  })
})
