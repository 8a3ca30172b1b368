import { reaches, type Access, type JsonSchema, type Model } from '@gatehouse/model'
import { SYSTEM_PATH } from '#platform/http/system.ts'
import { SYSTEM_MAILS_PATH } from './system-mails.ts'
import { body, ID, json, OPERATION_ID, problems, TOKEN_OPTIONAL } from './openapi-parts.ts'
import { UNDONE_SCHEMA } from '#engine/write/undo.ts'
import { VIEW_SCHEMA, viewSchema } from './list-views.ts'

/** The addresses that belong to no model, for somebody on this level. */
export const fixedPathsOf = (models: Model[], level: Access): Record<string, JsonSchema> => ({
  ...definitionPaths(models, level),
  ...operationPaths(level),
})

const definitionPaths = (models: Model[], level: Access): Record<string, JsonSchema> => ({
  '/api/models': {
    get: {
      operationId: 'models',
      summary: 'The models, as the browser needs them',
      ...TOKEN_OPTIONAL,
      responses: { 200: json({ type: 'array', items: { type: 'object' } }), ...problems() },
    },
  },
  ...(level === 'public'
    ? {}
    : {
        ...(level === 'admin'
          ? {
              [SYSTEM_PATH.url]: {
                get: {
                  operationId: SYSTEM_PATH.operationId,
                  summary: SYSTEM_PATH.summary,
                  'x-access': 'admin',
                  responses: { 200: json(SYSTEM_PATH.schema), ...problems() },
                },
              },
              [SYSTEM_MAILS_PATH.url]: {
                get: {
                  operationId: 'undeliveredMails',
                  summary: 'List undelivered emails',
                  'x-access': 'admin',
                  parameters: MAIL_PARAMETERS,
                  responses: { 200: json(SYSTEM_MAILS_PATH.schema), ...problems(400) },
                },
              },
              [SYSTEM_MAILS_PATH.retryUrl]: {
                parameters: [ID],
                post: {
                  operationId: 'retryMail',
                  summary: 'Send undelivered email again',
                  'x-access': 'admin',
                  responses: { 202: { description: 'Queued' }, ...problems(404, 409) },
                },
              },
            }
          : {}),
        '/api/me/views': {
          get: {
            operationId: 'myViews',
            summary: 'How you like to see your lists, by the path of the model',
            'x-access': 'user',
            responses: {
              200: json({ type: 'object', additionalProperties: VIEW_SCHEMA }),
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
      summary: 'How many records stand behind each entry of your menu',
      ...TOKEN_OPTIONAL,
      responses: { 200: json(COUNTS), ...problems() },
    },
  },
})

const isReadBy =
  (level: Access) =>
  ({ access }: Model) =>
    reaches(level, access.get) || reaches(level, access.list)

/** One address per model: each has columns of its own. */
const viewPath = (model: Model, level: Access): Record<string, JsonSchema> => ({
  [`/api/me/views/${model.path}`]: {
    put: {
      operationId: `rememberView:${model.path}`,
      summary: `Remembers how you like to see the list of ${model.title}`,
      'x-access': 'user',
      requestBody: body(viewSchema(model, level)),
      responses: { 204: { description: 'Remembered' }, ...problems(400, 404, 413, 415, 422) },
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
            summary: 'Take back what an operation did',
            'x-access': 'user',
            responses: {
              200: { ...json(UNDONE_SCHEMA), headers: OPERATION_ID },
              ...problems(400, 404, 409, 422),
            },
          },
        },
      }

const MAIL_PARAMETERS = [
  {
    name: 'after',
    in: 'query',
    description: '`next` of the page before',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'alerts',
    in: 'query',
    description: 'Alerts that have not arrived instead, also those still being tried',
    schema: { type: 'boolean' },
  },
]

const COUNTS: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: ['object', 'null'],
    properties: { count: { type: 'integer' }, exact: { type: 'boolean' } },
    required: ['count', 'exact'],
    additionalProperties: false,
  },
}
