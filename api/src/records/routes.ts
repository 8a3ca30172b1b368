import {
  ACCESS_LEVELS,
  actionSchema,
  actionsOf,
  canAccess,
  canDo,
  canPurge,
  createSchema,
  formMetadata,
  hasTrash,
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
import type { Row } from '#db.ts'
import { forbidden, HttpError, listTooSlow, signInRequired, unsupportedAction } from '#errors.ts'
import { countWrite } from '#limits.ts'
import { confirmationHeaders } from '#mail-budget.ts'
import { refuseOthers } from '#methods.ts'
import { networkOf } from '#network.ts'
import { contextOf } from '#site.ts'
import { requireBody, requireChange, requireFit } from '#validate.ts'
import { aboutRecord } from './about.ts'
import { runAction, type Making } from './actions.ts'
import { findLocked, toETag, type Changing } from './change.ts'
import { runChange, type ChangeOptions } from './changing.ts'
import { undeletable } from './deletable.ts'
import { callerOf, modelOf } from './engine.ts'
import { hasHistory, historyOf, readBefore } from './history.ts'
import { once } from './idempotency.ts'
import { listRecords } from './list.ts'
import { readListQuery, readTrash } from './list-query.ts'
import { neighboursOf } from './neighbours.ts'
import { purgeRecord } from './purge.ts'
import { canGet, getRecord, present, type Reading } from './read.ts'
import { readRestore, restoreVersion } from './restore.ts'
import { createWithSteps, updateWithSteps } from './steps.ts'
import { deleteRecord, restoreFromTrash } from './trash.ts'

type Query = { Querystring: Record<string, unknown> }
type WithId = { Params: { id: string } }

/** The same routes for every model, under its path and under its routeName. */
export function recordRoutes(app: FastifyInstance, { engine, limits }: ChangeOptions) {
  const share = sharing()
  for (const model of engine.models)
    for (const name of new Set([model.path, model.routeName]))
      modelRoutes(app, { engine, model, name, limits, schemas: schemasOf(model, share) })
}

type ModelOptions = ChangeOptions & {
  model: Model
  name: string
  schemas: ReturnType<typeof schemasOf>
}

function modelRoutes(app: FastifyInstance, { engine, model, name, limits, schemas }: ModelOptions) {
  const url = `/api/${name}`
  const onAll = methodsOf(model, { GET: 'list', POST: 'create' })
  const onOne = methodsOf(model, { GET: 'get', PUT: 'update', DELETE: 'delete' })

  app.get<Query>(url, { config: { priority: priorityOf } }, async (request, reply) => {
    const { reading, query } = await readList(request)
    const page = await listRecords(reading, query).catch(toListError)
    return send(reply, schemas[reading.caller.level].list, page)
  })

  app.get(`${url}/form-metadata`, async (request) => {
    const { visitor } = request
    if (!canDo(model, 'create', visitor) && !canDo(model, 'update', visitor))
      throw refusalOf(visitor)
    return formMetadata(model, visitor, contextOf(engine.site))
  })

  app.get<WithId & Query>(`${url}/:id`, async (request, reply) => {
    const reading = await read(request, 'get')
    const rows = readTrash(request.query['trash'])
    if (rows === 'trash') requireAccess(request, 'delete')
    return sendRecord(request, reply, await getRecord({ ...reading, rows }, request.params.id))
  })

  app.get<WithId & Query>(`${url}/:id/history`, async (request) => {
    const reading = await read(request, 'get')
    if (!hasHistory(model, reading.caller.level)) throw refusalOf(request.visitor)
    return historyOf(reading, request.params.id, readBefore(request.query['before']))
  })

  app.get<WithId>(`${url}/:id/about`, async (request) =>
    aboutRecord(await read(request, 'get'), request.params.id),
  )

  app.get<WithId & Query>(`${url}/:id/neighbours`, async (request) => {
    const { reading, query } = await readList(request)
    return neighboursOf(reading, request.params.id, query).catch(toListError)
  })

  app.post(url, async (request, reply) => {
    requireAccess(request, 'create')
    const { made, isUndoable } = await change(request, async (changing) => {
      const body = requireBody(request, model.fields, schemas[changing.caller.level].create)
      const keyed = { key: headerOf(request, 'idempotency-key'), body }
      const made = await once(changing, keyed, async () => {
        const { id, row, revisionId, isConfirmed } = await createWithSteps(changing, body)
        await countCreation(changing, request)
        const [record] = await present(changing, [row], visibleFields(model, changing.caller.level))
        const { operationId } = changing
        return { id, record: record ?? row, revisionId, operationId, isConfirmed }
      })
      return { made, isUndoable: (await undeletable(changing, [made.id])).length === 0 }
    })
    reply.code(201).header('location', `${url}/${made.id}`)
    if (isUndoable) reply.header(OPERATION_ID, made.operationId)
    reply.headers(confirmationHeaders(made.isConfirmed))
    return sendRecord(request, reply, made.record)
  })

  app.put<WithId>(`${url}/:id`, async (request, reply) => {
    requireAccess(request, 'update')
    const { id } = request.params
    const changed = await change(request, async (changing) => {
      const body = await fitTo(changing, request, id)(request.body)
      const isChanged = await updateWithSteps(changing, id, body, headerOf(request, 'if-match'))
      return afterwards(changing, id, isChanged)
    })
    return sendChanged(request, reply, changed)
  })

  app.delete<WithId>(`${url}/:id`, async (request, reply) => {
    requireAccess(request, 'delete')
    const operationId = await change(request, async (changing) => {
      await deleteRecord(changing, request.params.id, headerOf(request, 'if-match'))
      return changing.operationId
    })
    return reply.code(204).header(OPERATION_ID, operationId).send()
  })

  app.post<WithId>(`${url}/:id/restore`, async (request, reply) => {
    if (!canDo(model, 'delete', request.visitor)) requireAccess(request, 'update')
    const { version, fields } = readRestore(request)
    requireAccess(request, version === null ? 'delete' : 'update')
    const { id } = request.params
    const ifMatch = headerOf(request, 'if-match')
    const changed = await change(request, async (changing) => {
      if (version === null) {
        await restoreFromTrash(changing, id, ifMatch)
        return afterwards(changing, id, true)
      }
      const fit = fitTo(changing, request, id)
      const isChanged = await restoreVersion(changing, id, { version, fields, ifMatch, fit })
      return afterwards(changing, id, isChanged)
    })
    return sendChanged(request, reply, changed)
  })

  app.post<WithId>(`${url}/:id/purge`, async (request, reply) => {
    if (!hasTrash(model)) throw unsupportedAction('')
    if (!canPurge(model, request.visitor)) throw refusalOf(request.visitor)
    await change(request, (changing) => purgeRecord(changing, request.params.id))
    return reply.code(204).send()
  })

  for (const [action, definition] of Object.entries(model.actions)) {
    app.post<WithId>(`${url}/:id/${action}`, async (request, reply) => {
      if (!canAccess(definition.access, request.visitor)) throw refusalOf(request.visitor)
      const { record, operationId } = await change(request, (changing) =>
        runAction(changing, {
          name: action,
          action: definition,
          id: request.params.id,
          input: requireFit(request, {
            body: request.body ?? {},
            labels: definition.fields ?? {},
            schema: schemas[changing.caller.level].actions[action] ?? {},
          }),
          key: headerOf(request, 'idempotency-key'),
          ifMatch: headerOf(request, 'if-match'),
          ...makingOf(changing, request),
        }),
      )
      if (operationId) reply.header(OPERATION_ID, operationId)
      return sendRecord(request, reply, record)
    })
    refuseOthers(app, `${url}/:id/${action}`, ['POST'], 'POST')
  }

  refuseOthers(app, url, ['GET', 'POST'], onAll)
  refuseOthers(app, `${url}/form-metadata`, ['GET'], 'GET')
  refuseOthers(app, `${url}/:id`, ['GET', 'PUT', 'DELETE'], onOne)
  for (const part of ['history', 'about', 'neighbours'])
    refuseOthers(app, `${url}/:id/${part}`, ['GET'], 'GET')
  for (const part of ['restore', 'purge']) refuseOthers(app, `${url}/:id/${part}`, ['POST'], 'POST')

  function requireAccess({ visitor }: FastifyRequest, action: Action) {
    if (!actionsOf(model).includes(action))
      throw unsupportedAction(action === 'list' || action === 'create' ? onAll : onOne)
    if (!canDo(model, action, visitor)) throw refusalOf(visitor)
  }

  async function read(request: FastifyRequest, action: Action): Promise<Reading> {
    requireAccess(request, action)
    return { engine, tx: engine.db, model, caller: await callerOf(engine, request.visitor) }
  }

  async function readList(request: FastifyRequest<Query>) {
    const reading = await read(request, 'list')
    const query = readListQuery(request.query, model, reading.caller.level)
    if (query.rows === 'trash') requireAccess(request, 'delete')
    return { reading, query }
  }

  const change = <T>(request: FastifyRequest, run: (changing: Changing) => Promise<T>) =>
    runChange({ engine, limits }, request, (operating) => run({ ...operating, model }))

  /** Lets pass what a change of this record may hold. */
  const fitTo = (changing: Changing, request: FastifyRequest, id: string) => (body: unknown) =>
    requireChange(request, {
      body,
      labels: model.fields,
      schema: schemas[changing.caller.level].update,
      stored: () => findLocked(changing, id),
    })

  /**
   * In the transaction, and not for a repetition: what counts is what was made. Lock order: records first, then the
   * caller's counter, as an action has locked its record before it makes another.
   */
  async function countCreation({ tx, actor, model: made }: Changing, { ip }: FastifyRequest) {
    if (made.createPerMinute === null) return
    const perMinute = limits.creationsPerMinute ?? made.createPerMinute
    await countWrite(tx, `${actor.ref ?? networkOf(ip)} ${made.path}`, perMinute)
  }

  function makingOf(changing: Changing, request: FastifyRequest): Making {
    const of = (path: string) => ({ ...changing, model: modelOf(engine, path) })
    const count = (path: string) => countCreation(of(path), request)
    return {
      count,
      create: async (path, values) => {
        const made = await createWithSteps(of(path), values)
        await count(path)
        return made
      },
    }
  }

  /** What a change answers with: the record for whoever may get it, and what to undo if there is anything. */
  const afterwards = async (changing: Changing, id: string, isChanged: boolean) => ({
    record: canGet(changing) ? await getRecord(changing, id) : null,
    operationId: isChanged ? changing.operationId : null,
  })

  type Changed = Awaited<ReturnType<typeof afterwards>>

  function sendChanged(request: FastifyRequest, reply: FastifyReply, changed: Changed) {
    if (changed.operationId) reply.header(OPERATION_ID, changed.operationId)
    return changed.record ? sendRecord(request, reply, changed.record) : reply.code(204).send()
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
        actions: Object.fromEntries(
          Object.entries(model.actions).map(([name, action]) => [
            name,
            share(actionSchema(action, level)),
          ]),
        ),
      },
    ]),
  ) as Record<
    (typeof ACCESS_LEVELS)[number],
    Record<'create' | 'update' | 'read' | 'list', JsonSchema> & {
      actions: Record<string, JsonSchema>
    }
  >

/** Which operation a change was: what to undo. */
const OPERATION_ID = 'operation-id'

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
