import {
  FILE_SCHEMA,
  isStaff,
  inSentence,
  reaches,
  type Access,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { SYSTEM_PATH } from '#platform/http/system-status.ts'
import { body, ID, json, OPERATION_ID, problems, TOKEN_OPTIONAL } from './openapi-components.ts'
import { RESULTS_MAX } from '#engine/query/search.ts'
import { TERM_SCHEMA } from '#engine/query/search-term.ts'
import { VIEW_SCHEMA, viewSchema } from './list-views.ts'

export const fixedPathsOf = (models: Model[], level: Access): Record<string, JsonSchema> => ({
  ...definitionPaths(models, level),
  ...operationPaths(level),
})

const UPLOAD: JsonSchema = {
  operationId: 'uploadFile',
  summary: 'Upload a file, for a record that will name it',
  'x-access': 'user',
  parameters: [
    {
      name: 'x-file-name',
      in: 'header',
      description: 'Percent-encoded',
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    description: 'The bytes, with Content-Length',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    201: json(FILE_SCHEMA, 'The file, named by no record yet; deleted after 24 hours'),
    ...problems(400, 404, 408, 411, 413, 415, 422, 507),
  },
}

const definitionPaths = (models: Model[], level: Access): Record<string, JsonSchema> => ({
  '/api/models': {
    get: {
      operationId: 'models',
      summary: 'List model definitions',
      ...TOKEN_OPTIONAL,
      responses: {
        200: json({ type: 'array', items: { type: 'object' } }, 'Model definitions'),
        ...problems(),
      },
    },
  },
  ...(level === 'public'
    ? {}
    : {
        ...(isStaff(level)
          ? {
              [SYSTEM_PATH.url]: {
                get: {
                  operationId: SYSTEM_PATH.operationId,
                  summary: SYSTEM_PATH.summary,
                  'x-access': 'admin',
                  responses: { 200: json(SYSTEM_PATH.schema, 'System status'), ...problems() },
                },
              },
            }
          : {}),
        '/api/files': { post: UPLOAD },
        '/api/me/views': {
          get: {
            operationId: 'myViews',
            summary: 'List list views',
            'x-access': 'user',
            responses: {
              200: json(
                { type: 'object', additionalProperties: VIEW_SCHEMA },
                'List views by model path',
              ),
              ...problems(),
            },
          },
        },
        ...Object.assign(
          {},
          ...models.filter(isReadBy(level)).map((model) => viewPath(model, level)),
        ),
      }),
  '/api/models/counts': {
    get: {
      operationId: 'modelCounts',
      summary: 'Count records per model',
      ...TOKEN_OPTIONAL,
      responses: { 200: json(COUNTS, 'Counts by model path'), ...problems() },
    },
  },
  '/api/models/search': {
    get: {
      operationId: 'searchModels',
      summary: 'Search records of all models',
      ...TOKEN_OPTIONAL,
      parameters: [SEARCH_TERM],
      responses: { 200: json(RESULTS, 'Exact matches first'), ...problems(400) },
    },
  },
})

const isReadBy =
  (level: Access) =>
  ({ access }: Model) =>
    reaches(level, access.get) || reaches(level, access.list)

/** One path per model: each has its own columns. */
const viewPath = (model: Model, level: Access): Record<string, JsonSchema> => ({
  [`/api/me/views/${model.path}`]: {
    put: {
      operationId: `rememberView:${model.path}`,
      summary: `Save list view of ${inSentence(model.title)}`,
      'x-access': 'user',
      requestBody: body(viewSchema(model, level)),
      responses: { 204: { description: 'Saved' }, ...problems(400, 404, 413, 415, 422) },
    },
  },
})

const operationPaths = (level: Access): Record<string, JsonSchema> =>
  level === 'public'
    ? {}
    : {
        '/api/operations/{id}/undo': {
          parameters: [ID],
          post: {
            operationId: 'undo',
            summary: 'Undo operation',
            'x-access': 'user',
            responses: {
              200: { ...json(UNDONE_SCHEMA, 'Undone'), headers: OPERATION_ID },
              ...problems(400, 404, 409, 422),
            },
          },
        },
      }

const COUNTS: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: ['object', 'null'],
    properties: { count: { type: 'integer' }, exact: { type: 'boolean' } },
    required: ['count', 'exact'],
    additionalProperties: false,
  },
}

const SEARCH_TERM = {
  name: 'q',
  in: 'query',
  required: true,
  description:
    'Text to search for, at least three characters; digits also find telephone numbers. `#` and a number finds that number alone.',
  schema: TERM_SCHEMA,
}

const RESULTS: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      maxItems: RESULTS_MAX,
      items: {
        type: 'object',
        properties: {
          model: { type: 'string', description: 'Model path' },
          record: { type: 'object', description: 'As in the model’s list' },
        },
        required: ['model', 'record'],
        additionalProperties: false,
      },
    },
    slow: {
      type: 'array',
      description: 'Paths of models left out because they took too long',
      items: { type: 'string' },
    },
  },
  required: ['items', 'slow'],
  additionalProperties: false,
}

const UNDONE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    operation: { type: 'string', format: 'uuid', description: 'Undo this operation to redo' },
    undone: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          model: { type: 'string' },
          id: { type: 'string', format: 'uuid' },
          action: { type: 'string', enum: ['update', 'delete', 'restore'] },
        },
        required: ['model', 'id', 'action'],
      },
    },
  },
  required: ['operation', 'undone'],
}
