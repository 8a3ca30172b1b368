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
  updateSchema,
  type Access,
  type Action,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { CONFIRMATION_HEADERS } from '#mail-budget.ts'
import { API_VERSION } from '#version.ts'
import { ABOUT_SCHEMA } from './about.ts'
import { confirmsCreation } from './after-create.ts'
import { CONDITIONS_MAX } from './filter.ts'
import { conditionSchema, filterSchema } from './filter-schema.ts'
import { hasHistory, HISTORY_SCHEMA } from './history.ts'
import { CURSOR_SCHEMA, PAGE_SIZE_MAX, SEARCH_SCHEMA } from './list-query.ts'
import { NEIGHBOURS_SCHEMA } from './neighbours.ts'
import { fixedPathsOf } from './openapi-fixed.ts'
import { body, ID, json, OPERATION_ID, problems, ref, TOKEN_OPTIONAL } from './openapi-parts.ts'
import { restoreSchema } from './restore.ts'

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
    fixedPathsOf(models, level),
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
  const canFill = (['create', 'update'] as const).find((action) => isOffered(model, action, level))
  const can = {
    delete: isOffered(model, 'delete', level),
    update: isOffered(model, 'update', level),
  }
  const trash = can.delete ? [TRASH] : []
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
      post: operation(
        can.delete ? 'delete' : 'update',
        'restore',
        'Take out of the trash, or back to a version, one of',
        {
          parameters: [IF_MATCH],
          requestBody: { ...body(restoreSchema(model, level, can)), required: !can.delete },
          responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
        },
      ),
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

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeats with the same key and body get the first answer, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

const ACTS_ONCE =
  'Makes retries safe: for 24 hours the same key and body return the record as it is now'

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
