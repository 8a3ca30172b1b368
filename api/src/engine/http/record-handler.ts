import {
  ACCESS_LEVELS,
  actionsOf,
  canDo,
  levelOf,
  type Access,
  type Action,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '#platform/db.ts'
import type { Files } from '#platform/files/open-files.ts'
import { unsupportedAction } from '#platform/errors.ts'
import { accessError, type AccessRequirement } from '#platform/http/access-level.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { compiledFor } from '#engine/engine.ts'
import { recordRead } from '#engine/security/request-audit.ts'
import type { ChangeOptions } from '#engine/operations/transaction.ts'
import type { Changed } from '#engine/operations/update.ts'
import type { ExpectedVersions } from '#engine/write/save.ts'

/** One per name of a model: its path and its routeName. */
export type ServedModel = ChangeOptions & {
  model: Model
  /** Null if the installation stores no files. */
  files: Files | null
  /** Base URL of its records, as in the Location header. */
  url: string
}

export type RecordHandler = (
  served: ServedModel,
  request: RecordRequest,
  reply: FastifyReply,
) => Promise<unknown>

export type RecordRequest = FastifyRequest<{
  Params: { id: string; part: string }
  Querystring: { trash?: unknown; before?: unknown; total?: unknown; [name: string]: unknown }
}>

export const COLLECTION_METHODS = { GET: 'list', POST: 'create' } as const
export const RECORD_METHODS = { GET: 'get', PUT: 'update', DELETE: 'delete' } as const

export const supported = (
  model: Model,
  methods: typeof COLLECTION_METHODS | typeof RECORD_METHODS,
) => Object.entries(methods).filter(([, action]) => actionsOf(model).includes(action))

/** For access that depends on the body or query, beyond the level of the route. */
export function requireAccess(
  { model }: Pick<ServedModel, 'model'>,
  { visitor }: Pick<RecordRequest, 'visitor'>,
  action: Action,
) {
  requireSupported(model, action)
  if (!canDo(model, action, visitor)) throw accessError(visitor, neededFor(model, action))
}

/** 405 for parts of a record whose model lacks the action they belong to. */
export function requireSupported(model: Model, action: Action) {
  if (actionsOf(model).includes(action)) return
  const methods = supported(model, action === 'list' ? COLLECTION_METHODS : RECORD_METHODS)
  throw unsupportedAction(methods.map(([method]) => method).join(', '))
}

/** Access that these actions require; none if no level has them, because they get 405. */
export const neededFor = (model: Model, ...actions: Action[]): AccessRequirement => ({
  access: lowest(
    actions
      .filter((action) => actionsOf(model).includes(action))
      .map((action) => model.access[action]),
  ),
})

const lowest = (levels: Access[]) =>
  ACCESS_LEVELS.find((level) => levels.includes(level)) ?? 'public'

export function headerOf({ headers }: Pick<RecordRequest, 'headers'>, name: string) {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

const toETag = ({ version }: RecordRow) => `"${version}"`

export function readIfMatch({ headers }: Pick<RecordRequest, 'headers'>): ExpectedVersions {
  const header = headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  // Compressing proxies weaken ETags; ours name a version, so a weak match is exact enough.
  const tags = header.split(',').map((tag) => TAG.exec(tag.trim())?.[1])
  return tags.filter((version) => version !== undefined).map(Number)
}

const TAG = /^(?:W\/)?"([1-9]\d*)"$/

/** Header with the operation to undo. */
export const OPERATION_ID = 'operation-id'

/** Response header of an action: whether an email was queued. */
const MAILED = 'mailed'

type ResponseContext = { served: ServedModel; request: RecordRequest; reply: FastifyReply }

export function sendChanged(
  answering: ResponseContext,
  { record, operationId, isMailed }: Changed,
) {
  const { reply } = answering
  if (typeof isMailed === 'boolean') reply.header(MAILED, String(isMailed))
  if (operationId) reply.header(OPERATION_ID, operationId)
  return record ? sendRecord(answering, record) : reply.code(204).send()
}

export function sendRecord({ served, request, reply }: ResponseContext, record: RecordRow) {
  reply.header('etag', toETag(record))
  const caller = { level: levelOf(request.visitor) }
  recordRead({ request, model: served.model, ...caller }, record)
  return serialiseFor(compiledFor({ ...served, caller }).record.schema, reply, record)
}

/** Serialised by the schema of the caller's level: a column that isn't in it can't leak. For a handler to return. */
export function serialiseFor(schema: JsonSchema, reply: FastifyReply, value: Row) {
  const write = writers.get(schema) ?? reply.compileSerializationSchema(schema)
  writers.set(schema, write)
  reply.type('application/json')
  return write(value)
}

/** Compiled on first use, once per schema: Fastify would compile it again for every route that uses it. */
const writers = new WeakMap<JsonSchema, (value: Row) => string>()
