import {
  actionSchema,
  actionsOf,
  canSee,
  canSort,
  createSchema,
  fieldsOf,
  hasTrash,
  listSchema,
  reaches,
  readSchema,
  SEARCH_MAX_LENGTH,
  SEARCH_MIN_LENGTH,
  updateSchema,
  type Access,
  type Action,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { CONFIRMATION_HEADERS } from '#mail-budget.ts'
import { SYSTEM_PATH } from '#system.ts'
import { SYSTEM_MAILS_PATH } from '#system-mails.ts'
import { API_VERSION } from '#version.ts'
import { ABOUT_SCHEMA } from './about.ts'
import { confirmsCreation } from './after-create.ts'
import { hasHistory, HISTORY_SCHEMA } from './history.ts'
import { PAGE_SIZE_MAX } from './list-query.ts'
import { NEIGHBOURS_SCHEMA } from './neighbours.ts'
import { RESTORE_SCHEMA } from './restore.ts'
import { UNDONE_SCHEMA } from './undo.ts'
import { VIEW_SCHEMA } from './views.ts'

/** The models, and the addresses that belong to no model. */
type Offer = { models: Model[]; fixedPaths: Record<string, JsonSchema> }

/** OpenAPI 3.1 for somebody on this level: what they may do, with the fields they may see. */
export const buildOpenApi = ({ models, fixedPaths }: Offer, level: Access) => ({
  openapi: '3.1.0',
  info: {
    title: 'Gatehouse',
    version: API_VERSION,
    description:
      'The records, for callers with the rights of the token this document was asked for with.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: level === 'public' ? [] : [{ bearer: [] }],
  paths: Object.assign(
    definitionPaths(level),
    operationPaths(level),
    fixedPaths,
    ...models.flatMap((model) =>
      [...new Set([model.path, model.routeName])].map((name) => pathsOf(model, name, level)),
    ),
  ) as Record<string, JsonSchema>,
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    responses: {
      Problem: {
        description: 'A problem',
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    },
    schemas: Object.assign(
      { Problem: PROBLEM, FormMetadata: FORM_METADATA },
      ...models.map((model) => schemasOf(model, level)),
    ) as Record<string, JsonSchema>,
  },
})

/** Who has no token is welcome too. */
const TOKEN_OPTIONAL = { security: [{}, { bearer: [] }] }

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'Problem details, RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'A sentence for people' },
    code: { type: 'string', description: 'Stable, for programs' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
        required: ['field', 'message'],
      },
    },
    current: { type: 'object', description: 'With 412: the record as it is now' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
}

/** Whether an operation is in the document of this level. */
const isOffered = (model: Model, action: Action, level: Access) =>
  actionsOf(model).includes(action) && reaches(level, model.access[action])

/** Named, so that programs made from the document have names for them; none that no operation on this level needs. */
function schemasOf(model: Model, level: Access): Record<string, JsonSchema> {
  const isNeeded = (...actions: Action[]) =>
    actions.some((action) => isOffered(model, action, level))
  return {
    ...(isNeeded('list') ? { [`${model.path}-list`]: listSchema(model, level) } : {}),
    ...(isNeeded('get', 'create', 'update', 'delete')
      ? { [`${model.path}-read`]: readSchema(model, level) }
      : {}),
    ...(isNeeded('create') ? { [`${model.path}-create`]: createSchema(model, level) } : {}),
    ...(isNeeded('update') ? { [`${model.path}-update`]: updateSchema(model, level) } : {}),
    ...Object.fromEntries(
      actsOf(model, level).map(([name, action]) => [
        `${model.path}-${name}`,
        actionSchema(action, level),
      ]),
    ),
  }
}

/** The actions in the document of this level. */
const actsOf = (model: Model, level: Access) =>
  Object.entries(model.actions).filter(([, { access }]) => reaches(level, access))

function pathsOf(model: Model, name: string, level: Access): Record<string, JsonSchema> {
  const operation = (action: Action, id: string, words: string, rest: JsonSchema) =>
    isOffered(model, action, level)
      ? {
          operationId: `${id}:${name}`,
          summary: `${words} ${model.title}`,
          tags: [model.title],
          // Whoever takes a right away from people breaks what they built on it, so it stands here to be compared.
          'x-access': model.access[action],
          ...(model.access[action] === 'public' ? TOKEN_OPTIONAL : {}),
          ...rest,
        }
      : undefined
  const schema = (kind: string) => ref('schemas', `${model.path}-${kind}`)
  const record = { ...json(schema('read')), headers: { etag: { schema: { type: 'string' } } } }
  const changed = { ...record, headers: { ...record.headers, ...OPERATION_ID } }
  const trash = isOffered(model, 'delete', level) ? [TRASH] : []
  const canFill = (['create', 'update'] as const).find((action) => isOffered(model, action, level))
  const canRestore = (['delete', 'update'] as const).find((action) =>
    isOffered(model, action, level),
  )
  return dropEmpty({
    [`/api/${name}`]: {
      get: operation('list', 'list', 'List', {
        parameters: [...listParameters(model, level), ...trash],
        responses: { 200: json(schema('list')), ...problems(400, 422) },
      }),
      post: operation('create', 'create', 'Create one of', {
        parameters: [IDEMPOTENCY_KEY],
        requestBody: body(schema('create')),
        responses: {
          201: {
            ...changed,
            headers: {
              ...changed.headers,
              location: { schema: { type: 'string' } },
              ...(confirmsCreation(model) ? CONFIRMATION_HEADERS : {}),
            },
          },
          ...problems(400, 404, 409, 410, 413, 415, 422),
        },
      }),
    },
    [`/api/${name}/form-metadata`]: {
      get: canFill
        ? operation(canFill, 'form', 'Form metadata of', {
            responses: { 200: json(ref('schemas', 'FormMetadata')), ...problems() },
          })
        : undefined,
    },
    [`/api/${name}/{id}`]: {
      parameters: [ID],
      get: operation('get', 'get', 'Get one of', {
        parameters: trash,
        responses: { 200: record, ...problems(400, 404) },
      }),
      put: operation('update', 'update', 'Update one of', {
        parameters: [IF_MATCH],
        requestBody: body(schema('update')),
        responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
      }),
      delete: operation('delete', 'delete', 'Delete one of', {
        parameters: [IF_MATCH],
        responses: {
          204: { description: 'Moved to the trash', headers: OPERATION_ID },
          ...problems(400, 404, 409, 412),
        },
      }),
    },
    [`/api/${name}/{id}/history`]: hasHistory(model, level)
      ? {
          parameters: [ID],
          get: operation('get', 'history', 'What happened to one of', {
            parameters: [BEFORE_VERSION],
            responses: { 200: json(HISTORY_SCHEMA), ...problems(400, 404) },
          }),
        }
      : {},
    [`/api/${name}/{id}/about`]: {
      parameters: [ID],
      get: operation('get', 'about', 'Who made, and what leads to, one of', {
        responses: { 200: json(ABOUT_SCHEMA), ...problems(404) },
      }),
    },
    [`/api/${name}/{id}/neighbours`]: {
      parameters: [ID],
      get: operation('list', 'neighbours', 'What stands in a list beside one of', {
        parameters: [
          ...listParameters(model, level).filter((one) => PLACING.includes(one.name)),
          ...trash,
        ],
        responses: { 200: json(NEIGHBOURS_SCHEMA), ...problems(400, 404, 422) },
      }),
    },
    [`/api/${name}/{id}/restore`]: {
      parameters: [ID],
      post: canRestore
        ? operation(canRestore, 'restore', 'Take out of the trash, or back to a version, one of', {
            parameters: [IF_MATCH],
            requestBody: { ...body(RESTORE_SCHEMA), required: false },
            responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
          })
        : undefined,
    },
    [`/api/${name}/{id}/purge`]: {
      parameters: [ID],
      post:
        hasTrash(model) && reaches(level, model.purge)
          ? {
              operationId: `purge:${name}`,
              summary: `Delete for good, from the trash, one of ${model.title}`,
              tags: [model.title],
              'x-access': model.purge,
              ...(model.purge === 'public' ? TOKEN_OPTIONAL : {}),
              responses: { 204: { description: 'Gone' }, ...problems(400, 404, 409) },
            }
          : undefined,
    },
    ...Object.fromEntries(
      actsOf(model, level).map(([act, { label, access, fields }]) => [
        `/api/${name}/{id}/${act}`,
        {
          parameters: [ID],
          post: {
            operationId: `${act}:${name}`,
            summary: label,
            tags: [model.title],
            'x-access': access,
            ...(access === 'public' ? TOKEN_OPTIONAL : {}),
            parameters: [IF_MATCH, { ...IDEMPOTENCY_KEY, description: ACTS_ONCE }],
            requestBody: { ...body(schema(act)), required: fields !== undefined },
            responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
          },
        },
      ]),
    ),
  })
}

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeats with the same key and body get the first answer, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

const ACTS_ONCE =
  'Makes retries safe: for 24 hours the same key and body return the record as it is now'

const OPERATION_ID = {
  'operation-id': {
    description: 'What to undo; absent where nothing changed',
    schema: { type: 'string', format: 'uuid' },
  },
}

const TRASH = {
  name: 'trash',
  in: 'query',
  description: 'What is in the trash instead',
  allowEmptyValue: true,
  schema: { type: 'boolean' },
}

const BEFORE_VERSION = {
  name: 'before',
  in: 'query',
  description: '`next` of the page before',
  allowEmptyValue: true,
  schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
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

/** What decides which records a list holds, and in which order. */
const PLACING = ['sort', 'filter', 'q']

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the record as you read it; without it the change is unconditional',
  schema: { type: 'string', pattern: '^("[0-9]+"|\\*)$' },
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

const definitionPaths = (level: Access): Record<string, JsonSchema> => ({
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
        '/api/me': {
          get: {
            operationId: 'me',
            summary: 'Whoever is signed in',
            'x-access': 'user',
            responses: { 200: json(ME), ...problems() },
          },
        },
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
        '/api/me/views/{model}': {
          put: {
            operationId: 'rememberView',
            summary: 'Remembers how you like to see one list',
            'x-access': 'user',
            parameters: [{ name: 'model', in: 'path', required: true, schema: { type: 'string' } }],
            requestBody: body(VIEW_SCHEMA),
            responses: { 204: { description: 'Remembered' }, ...problems(400, 404, 422) },
          },
        },
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

const COUNTS: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: ['object', 'null'],
    properties: { count: { type: 'integer' }, exact: { type: 'boolean' } },
    required: ['count', 'exact'],
    additionalProperties: false,
  },
}

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

const ME: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: ['string', 'null'] },
    link: { type: 'string', enum: ['none', 'asked', 'approved', 'refused'] },
    portalRole: { type: ['string', 'null'], enum: ['none', 'viewer', 'manager', null] },
    organisation: {
      type: ['object', 'null'],
      properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
      required: ['id', 'name'],
      additionalProperties: false,
    },
  },
  required: ['name', 'link', 'portalRole', 'organisation'],
  additionalProperties: false,
}

function listParameters(model: Model, level: Access) {
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
    query('after', { type: 'string' }, 'The cursor `next` of the page before'),
    query('before', { type: 'string' }, 'The cursor `previous` of the page after'),
    query(
      'filter',
      { type: 'string', contentMediaType: 'application/json' },
      'Conditions as JSON: {"all":[["status","eq","Open"]]}, also "any", and one inside the other',
    ),
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
      ? [
          query(
            'q',
            { type: 'string', minLength: SEARCH_MIN_LENGTH, maxLength: SEARCH_MAX_LENGTH },
            'A text to search for',
          ),
        ]
      : []),
  ]
}

const json = (schema: JsonSchema) => ({
  description: 'Done',
  content: { 'application/json': { schema } },
})

const body = (schema: JsonSchema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

/** What any request may meet, and what this one may meet besides. */
const problems = (...statuses: number[]) =>
  Object.fromEntries(
    [...statuses, 401, 403, 405, 429, 500, 503].map((status) => [
      status,
      ref('responses', 'Problem'),
    ]),
  )

const ref = (kind: 'schemas' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Without the operations this level does not have, and the paths that then hold none. */
const dropEmpty = (paths: Record<string, Record<string, unknown>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(paths)
      .map(
        ([url, item]) =>
          [url, Object.fromEntries(Object.entries(item).filter(([, value]) => value))] as const,
      )
      .filter(([, item]) => Object.keys(item).some((key) => key !== 'parameters')),
  )
