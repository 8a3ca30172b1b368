import {
  actionsOf,
  hasFiles,
  hasTrash,
  reaches,
  type Access,
  type Action,
  type JsonSchema,
  type Model,
  inSentence,
} from '@gatehouse/model'
import { CONFIRMATION_HEADERS } from '#platform/mail/confirmation-budget.ts'
import { FILE_LINKS_SCHEMA } from './reads.ts'
import { ABOUT_SCHEMA } from '#engine/history/about.ts'
import { historyAccess, HISTORY_SCHEMA } from '#engine/history/history.ts'
import { NEIGHBOURS_SCHEMA } from '#engine/query/neighbours.ts'
import { restoreSchema } from '#engine/operations/restore.ts'
import {
  ACTS_ONCE,
  BEFORE_VERSION,
  body,
  ID,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  json,
  listParameters,
  MAILED,
  OPERATION_ID,
  placingParameters,
  problems,
  ref,
  TOKEN_OPTIONAL,
  TRASH,
} from './openapi-components.ts'

export const isOffered = (model: Model, action: Action, level: Access) =>
  actionsOf(model).includes(action) && reaches(level, model.access[action])

export const offeredActions = (model: Model, level: Access) =>
  Object.entries(model.actions).filter(([, { access }]) => reaches(level, access))

type Paths = {
  name: string
  level: Access
  /** Whether the response to a creation reports a queued confirmation. */
  isConfirmed: boolean
}

/** `name` is the model's path or its routeName. */
export function pathsOf(
  model: Model,
  { name, level, isConfirmed }: Paths,
): Record<string, JsonSchema> {
  const one = inSentence(model.name)
  const operation = (
    action: Action,
    id: string,
    summary: string,
    { access = model.access[action], ...rest }: JsonSchema & { access?: Access },
  ) =>
    isOffered(model, action, level)
      ? {
          operationId: `${id}:${name}`,
          summary,
          tags: [model.title],
          // Part of the contract: the diff reports a withdrawn permission as breaking.
          'x-access': access,
          ...(access === 'public' ? TOKEN_OPTIONAL : {}),
          ...rest,
        }
      : undefined
  const schema = (kind: string) => schemaOf(model, kind)
  const record = recordAnswer(model)
  const changed = changedRecord(model)
  const canFill = (['create', 'update'] as const).find((action) => isOffered(model, action, level))
  const can = {
    delete: isOffered(model, 'delete', level),
    update: isOffered(model, 'update', level),
  }
  const trash = can.delete ? [TRASH] : []
  return dropEmpty({
    [`/api/${name}`]: {
      get: operation('list', 'list', `List ${inSentence(model.title)}`, {
        parameters: [...listParameters(model, level), ...trash],
        responses: {
          200: json(schema('list'), `Page of ${inSentence(model.title)}`),
          ...problems(400, 422),
        },
      }),
      post: operation('create', 'create', `Create ${one}`, {
        parameters: [IDEMPOTENCY_KEY],
        requestBody: body(schema('create')),
        responses: {
          201: {
            ...changed,
            headers: {
              ...changed.headers,
              location: { schema: { type: 'string' } },
              ...(isConfirmed ? CONFIRMATION_HEADERS : {}),
            },
          },
          ...problems(400, 404, 409, 410, 413, 415, 422),
        },
      }),
    },
    [`/api/${name}/form-metadata`]: {
      get: canFill
        ? operation(canFill, 'form', `Get ${one} form`, {
            responses: {
              200: json(ref('schemas', 'FormMetadata'), 'Form metadata'),
              ...problems(),
            },
          })
        : undefined,
    },
    [`/api/${name}/{id}`]: {
      parameters: [ID],
      get: operation('get', 'get', `Get ${one}`, {
        parameters: trash,
        responses: { 200: record, ...problems(400, 404) },
      }),
      put: operation('update', 'update', `Update ${one}`, {
        parameters: [IF_MATCH],
        requestBody: body(schema('update')),
        responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
      }),
      delete: operation('delete', 'delete', `Delete ${one}`, {
        parameters: [IF_MATCH],
        responses: {
          204: { description: 'Moved to trash', headers: OPERATION_ID },
          ...problems(400, 404, 409, 412),
        },
      }),
    },
    [`/api/${name}/{id}/history`]: reaches(level, historyAccess(model))
      ? {
          parameters: [ID],
          get: operation('get', 'history', `List ${one} history`, {
            access: historyAccess(model),
            parameters: [BEFORE_VERSION],
            responses: {
              200: json(HISTORY_SCHEMA, 'History, newest first'),
              ...problems(400, 404),
            },
          }),
        }
      : {},
    [`/api/${name}/{id}/about`]: {
      parameters: [ID],
      get: operation('get', 'about', `Get ${one} metadata`, {
        responses: { 200: json(ABOUT_SCHEMA, 'Metadata'), ...problems(404) },
      }),
    },
    ...(hasFiles(model)
      ? {
          [`/api/${name}/{id}/file-links`]: {
            parameters: [ID],
            post: operation('get', 'fileLinks', `Get links to the files of ${one}`, {
              responses: { 200: json(FILE_LINKS_SCHEMA, 'Links'), ...problems(404) },
            }),
          },
        }
      : {}),
    [`/api/${name}/{id}/neighbours`]: {
      parameters: [ID],
      get: operation('list', 'neighbours', `Get adjacent ${inSentence(model.title)}`, {
        parameters: [...placingParameters(model, level), ...trash],
        responses: {
          200: json(NEIGHBOURS_SCHEMA, 'Previous and next record'),
          ...problems(400, 404, 422),
        },
      }),
    },
    [`/api/${name}/{id}/restore`]: {
      parameters: [ID],
      post: operation(can.delete ? 'delete' : 'update', 'restore', `Restore ${one}`, {
        parameters: [IF_MATCH],
        requestBody: { ...body(restoreSchema(model, level, can)), required: !can.delete },
        responses: { 200: changed, ...problems(400, 404, 409, 412, 413, 415, 422) },
      }),
    },
    [`/api/${name}/{id}/purge`]: {
      parameters: [ID],
      post:
        hasTrash(model) && reaches(level, model.purge)
          ? {
              operationId: `purge:${name}`,
              summary: `Permanently delete ${one}`,
              tags: [model.title],
              'x-access': model.purge,
              'x-step-up': 'fresh',
              ...(model.purge === 'public' ? TOKEN_OPTIONAL : {}),
              responses: {
                204: { description: 'Permanently deleted' },
                ...problems(400, 404, 409),
              },
            }
          : undefined,
    },
    ...actionPaths(model, name, level),
  })
}

const actionPaths = (model: Model, name: string, level: Access) =>
  Object.fromEntries(
    offeredActions(model, level).map(([action, { label, access, isFresh, fields }]) => [
      `/api/${name}/{id}/${action}`,
      {
        parameters: [ID],
        post: {
          operationId: `${action}:${name}`,
          summary: label,
          tags: [model.title],
          'x-access': access,
          ...(isFresh ? { 'x-step-up': 'fresh' } : {}),
          ...(access === 'public' ? TOKEN_OPTIONAL : {}),
          parameters: [IF_MATCH, { ...IDEMPOTENCY_KEY, description: ACTS_ONCE }],
          requestBody: {
            ...body(schemaOf(model, action)),
            required: fields !== undefined,
          },
          responses: { 200: actedOn(model), ...problems(400, 404, 409, 412, 413, 415, 422) },
        },
      },
    ]),
  )

const schemaOf = (model: Model, kind: string) => ref('schemas', `${model.path}-${kind}`)

const recordAnswer = (model: Model) => ({
  ...json(schemaOf(model, 'read'), model.name),
  headers: { etag: { schema: { type: 'string' } } },
})

function changedRecord(model: Model) {
  const record = recordAnswer(model)
  return { ...record, headers: { ...record.headers, ...OPERATION_ID } }
}

function actedOn(model: Model) {
  const record = changedRecord(model)
  return { ...record, headers: { ...record.headers, ...MAILED } }
}

const dropEmpty = (paths: Record<string, Record<string, unknown>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(paths)
      .map(
        ([url, item]) =>
          [url, Object.fromEntries(Object.entries(item).filter(([, value]) => value))] as const,
      )
      .filter(([, item]) => Object.keys(item).some((key) => key !== 'parameters')),
  )
