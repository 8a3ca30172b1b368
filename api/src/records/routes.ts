import {
  ACCESS_LEVELS,
  actionsOf,
  canDo,
  createSchema,
  formMetadata,
  levelOf,
  listSchema,
  readSchema,
  updateSchema,
  visibleFields,
  type Action,
  type JsonSchema,
  type Model,
  type Visitor,
} from '@gatehouse/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { actorOf } from '#audit.ts'
import type { Row, Runner } from '#db.ts'
import type { Env } from '#env.ts'
import { forbidden, HttpError, listTooSlow, signInRequired, unsupportedAction } from '#errors.ts'
import { countWrite } from '#limits.ts'
import { refuseOthers } from '#methods.ts'
import { contextOf } from '#site.ts'
import { requireBody } from '#validate.ts'
import { deleteRecord, toETag, type Changing } from './change.ts'
import { callerOf, type Engine } from './engine.ts'
import { hasHistory, historyOf } from './history.ts'
import { once } from './idempotency.ts'
import { listRecords } from './list.ts'
import { readListQuery } from './list-query.ts'
import { canGet, getRecord, present, type Reading } from './read.ts'
import { createWithSteps, updateWithSteps } from './steps.ts'

type Options = {
  engine: Engine
  limits: Pick<Env['limits'], 'writesPerMinute' | 'creationsPerMinute'>
}
type WithId = { Params: { id: string } }

/** The same routes for every model, under its path and under its routeName. */
export function recordRoutes(app: FastifyInstance, { engine, limits }: Options) {
  const share = sharing()
  for (const model of engine.models)
    for (const name of new Set([model.path, model.routeName]))
      modelRoutes(app, { engine, model, name, limits, schemas: schemasOf(model, share) })
}

type ModelOptions = Options & { model: Model; name: string; schemas: ReturnType<typeof schemasOf> }

function modelRoutes(app: FastifyInstance, { engine, model, name, limits, schemas }: ModelOptions) {
  const url = `/api/${name}`
  const onAll = methodsOf(model, { GET: 'list', POST: 'create' })
  const onOne = methodsOf(model, { GET: 'get', PUT: 'update', DELETE: 'delete' })

  app.get<{ Querystring: Record<string, unknown> }>(
    url,
    { config: { priority: priorityOf } },
    async (request, reply) => {
      const reading = await read(request, 'list')
      const query = readListQuery(request.query, model, reading.caller.level)
      const page = await listRecords(reading, query).catch(toListError)
      return send(reply, schemas[reading.caller.level].list, page)
    },
  )

  app.get(`${url}/form-metadata`, async (request) => {
    const { visitor } = request
    if (!canDo(model, 'create', visitor) && !canDo(model, 'update', visitor))
      throw refusalOf(visitor)
    return formMetadata(model, visitor, contextOf(engine.site))
  })

  app.get<WithId>(`${url}/:id`, async (request, reply) => {
    const reading = await read(request, 'get')
    return sendRecord(request, reply, await getRecord(reading, request.params.id))
  })

  app.get<WithId>(`${url}/:id/history`, async (request) => {
    const reading = await read(request, 'get')
    if (!hasHistory(model, reading.caller.level)) throw refusalOf(request.visitor)
    return { items: await historyOf(reading, request.params.id) }
  })

  app.post(url, async (request, reply) => {
    requireAccess(request, 'create')
    const made = await change(request, async (changing) => {
      const body = requireBody(request, model.fields, schemas[changing.caller.level].create)
      return once(changing, { key: headerOf(request, 'idempotency-key'), body }, async () => {
        await countCreation(changing, request)
        const { id, row, revisionId } = await createWithSteps(changing, body)
        const [record] = await present(changing, [row], visibleFields(model, changing.caller.level))
        return { id, record: record ?? row, revisionId }
      })
    })
    reply.code(201).header('location', `${url}/${made.id}`)
    return sendRecord(request, reply, made.record)
  })

  app.put<WithId>(`${url}/:id`, async (request, reply) => {
    requireAccess(request, 'update')
    const { id } = request.params
    const record = await change(request, async (changing) => {
      const body = requireBody(request, model.fields, schemas[changing.caller.level].update)
      await updateWithSteps(changing, id, body, headerOf(request, 'if-match'))
      return canGet(changing) ? getRecord(changing, id) : null
    })
    return record ? sendRecord(request, reply, record) : reply.code(204).send()
  })

  app.delete<WithId>(`${url}/:id`, async (request, reply) => {
    requireAccess(request, 'delete')
    await change(request, (changing) =>
      deleteRecord(changing, request.params.id, headerOf(request, 'if-match')),
    )
    return reply.code(204).send()
  })

  refuseOthers(app, url, ['GET', 'POST'], onAll)
  refuseOthers(app, `${url}/form-metadata`, ['GET'], 'GET')
  refuseOthers(app, `${url}/:id`, ['GET', 'PUT', 'DELETE'], onOne)
  refuseOthers(app, `${url}/:id/history`, ['GET'], 'GET')

  function requireAccess({ visitor }: FastifyRequest, action: Action) {
    if (!actionsOf(model).includes(action))
      throw unsupportedAction(action === 'list' || action === 'create' ? onAll : onOne)
    if (!canDo(model, action, visitor)) throw refusalOf(visitor)
  }

  async function read(request: FastifyRequest, action: Action): Promise<Reading> {
    requireAccess(request, action)
    return { engine, tx: engine.db, model, caller: await callerOf(engine, request.visitor) }
  }

  async function change<T>(request: FastifyRequest, run: (changing: Changing) => Promise<T>) {
    const { visitor } = request
    const actor = await actorOf(engine.db, visitor)
    await countWrite(engine.db, actor.ref ?? request.ip, limits.writesPerMinute)
    const caller = await callerOf(engine, visitor)
    const shared = { engine, model, caller, actor, requestId: request.id, operationId: uuidv7() }
    return engine.db.transaction((tx: Runner) => run({ ...shared, tx }))
  }

  /** In the transaction, and not for a repetition: what counts is what was made. */
  async function countCreation({ tx, actor }: Changing, { ip }: FastifyRequest) {
    if (model.createPerMinute === null) return
    const perMinute = limits.creationsPerMinute ?? model.createPerMinute
    await countWrite(tx, `${actor.ref ?? ip} ${model.path}`, perMinute)
  }

  function sendRecord({ visitor }: FastifyRequest, reply: FastifyReply, record: Row) {
    reply.header('etag', toETag(record))
    return send(reply, schemas[levelOf(visitor)].read, record)
  }
}

/** Written by the schema of the caller's level: a column that is not in it can not leave. */
function send(reply: FastifyReply, schema: JsonSchema, value: unknown) {
  const write = writers.get(schema) ?? reply.compileSerializationSchema(schema)
  writers.set(schema, write)
  return reply.type('application/json').send(write(value as Row))
}

/** Compiled on first use, once per schema: Fastify would compile it again for every route that uses it. */
const writers = new WeakMap<JsonSchema, (value: Row) => string>()

/** Levels that differ in nothing, and a model's two names, have one schema between them. */
function sharing() {
  const known = new Map<string, JsonSchema>()
  return (schema: JsonSchema) => {
    const text = JSON.stringify(schema)
    const first = known.get(text) ?? schema
    known.set(text, first)
    return first
  }
}

const schemasOf = (model: Model, share: ReturnType<typeof sharing>) =>
  Object.fromEntries(
    ACCESS_LEVELS.map((level) => [
      level,
      {
        create: share(createSchema(model, level)),
        update: share(updateSchema(model, level)),
        read: share(readSchema(model, level)),
        list: share(listSchema(model, level)),
      },
    ]),
  ) as Record<
    (typeof ACCESS_LEVELS)[number],
    Record<'create' | 'update' | 'read' | 'list', JsonSchema>
  >

/** An exact total may take its time; people's pages come first. */
const priorityOf = ({ query }: FastifyRequest) =>
  (query as Row)['total'] === 'exact' ? ('background' as const) : ('person' as const)

function headerOf({ headers }: FastifyRequest, name: string) {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** Whoever asked for a slow list can ask for less; any other slow statement is only worth another try. */
function toListError(error: unknown): never {
  throw error instanceof HttpError && error.code === 'too-slow' ? listTooSlow() : error
}

const refusalOf = (visitor: Visitor) => (visitor ? forbidden() : signInRequired())

/** What an address answers to, as the header Allow says it. */
const methodsOf = (model: Model, actions: Record<string, Action>) =>
  Object.keys(actions)
    .filter((method) => actionsOf(model).some((action) => action === actions[method]))
    .join(', ')
