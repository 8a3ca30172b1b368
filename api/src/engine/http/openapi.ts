import {
  actionSchema,
  createSchema,
  listSchema,
  readSchema,
  updateSchema,
  type Access,
  type Action,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { API_VERSION } from '#platform/version.ts'
import { conditionSchema } from './filter-schema.ts'
import { fixedPathsOf } from './openapi-static-paths.ts'
import { ref } from './openapi-components.ts'
import { isOffered, offeredActions, pathsOf } from './openapi-record-paths.ts'

type DocumentOptions = {
  models: Model[]
  fixedPaths: (level: Access) => Record<string, JsonSchema>
  confirms: (model: Model) => boolean
}

export const buildOpenApi = ({ models, fixedPaths, confirms }: DocumentOptions, level: Access) => ({
  openapi: '3.1.0',
  info: {
    title: 'Gatehouse',
    version: API_VERSION,
    description: 'The records API, limited to what the token of this request may do and see.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: level === 'public' ? [] : [{ bearer: [] }],
  paths: Object.assign(
    fixedPathsOf(models, level),
    fixedPaths(level),
    ...models.flatMap((model) =>
      [...new Set([model.path, model.routeName])].map((name) =>
        pathsOf(model, { name, level, isConfirmed: confirms(model) }),
      ),
    ),
  ) as Record<string, JsonSchema>,
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    responses: {
      Problem: {
        description: 'Error',
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    },
    schemas: Object.assign(
      { Problem: PROBLEM, FormMetadata: FORM_METADATA },
      ...models.map((model) => schemasOf(model, level)),
    ) as Record<string, JsonSchema>,
  },
})

/** Named components, so that generated clients get named types; only those an operation of this level uses. */
function schemasOf(model: Model, level: Access): Record<string, JsonSchema> {
  const isNeeded = (...actions: Action[]) =>
    actions.some((action) => isOffered(model, action, level))
  return {
    ...(isNeeded('list')
      ? {
          [`${model.path}-list`]: listSchema(model, level),
          [`${model.path}-condition`]: conditionSchema(model, level),
        }
      : {}),
    ...(isNeeded('get', 'create', 'update', 'delete')
      ? { [`${model.path}-read`]: readSchema(model, level) }
      : {}),
    ...(isNeeded('create') ? { [`${model.path}-create`]: createSchema(model, level) } : {}),
    ...(isNeeded('update') ? { [`${model.path}-update`]: updateSchema(model, level) } : {}),
    ...Object.fromEntries(
      offeredActions(model, level).map(([name, action]) => [
        `${model.path}-${name}`,
        actionSchema(action, level),
      ]),
    ),
  }
}

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457)',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'Message for people' },
    code: { type: 'string', description: 'Stable code for programs' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
        required: ['field', 'message'],
      },
    },
    current: { type: 'object', description: 'With 412: the current record' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
}

const FORM_METADATA: JsonSchema = {
  type: 'object',
  properties: {
    fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          label: { type: 'string' },
          type: { type: 'string' },
          default: {},
          required: { type: 'boolean' },
        },
        required: ['name', 'label', 'type', 'default'],
      },
    },
  },
  required: ['fields'],
}
