import { hasFiles, hasTrash, type Action } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Files } from '#platform/files/open-files.ts'
import { PUBLIC, type AccessRequirement } from '#platform/http/access-level.ts'
import { serve, type Handler, type Resource } from '#platform/http/resource.ts'
import { historyAccess } from '#engine/history/history.ts'
import type { ChangeOptions } from '#engine/operations/transaction.ts'
import { about, describeForm, fileLinks, get, history, list, neighbours } from './reads.ts'
import {
  neededFor,
  COLLECTION_METHODS,
  RECORD_METHODS,
  supported,
  type RecordHandler,
  type RecordRequest,
  type ServedModel,
} from './record-handler.ts'
import { actionHandler, create, purge, remove, restore, update } from './writes.ts'

export function recordRoutes(
  app: FastifyInstance,
  options: ChangeOptions & { files: Files | null },
) {
  const served = new Map(
    options.engine.models.flatMap((model) =>
      [...new Set([model.path, model.routeName])].map(
        (name) => [name, resourcesOf({ ...options, model, url: `/api/${name}` })] as const,
      ),
    ),
  )
  const at = (request: FastifyRequest) => served.get(paramsOf(request).model)
  // Model names are part of the pattern, so that unknown ones get the router's 404.
  const model = `/api/:model(${oneOf(served.keys())})`
  const part = `:part(${oneOf([...served.values()].flatMap(({ parts }) => [...parts.keys()]))})`

  serve(app, model, {
    find: (request) => at(request)?.collection,
    config: { priority: priorityOf },
  })
  serve(app, `${model}/form-metadata`, { find: (request) => at(request)?.form })
  serve(app, `${model}/:id`, { find: (request) => at(request)?.record })
  serve(app, `${model}/:id/${part}`, {
    find: (request) => at(request)?.parts.get(paramsOf(request).part),
  })
}

const oneOf = (names: Iterable<string>) => `^(?:${[...new Set(names)].join('|')})$`

const paramsOf = (request: FastifyRequest) => request.params as { model: string; part: string }

/** Exact totals get background priority; pages come first. */
const priorityOf = ({ method, query }: FastifyRequest) =>
  method !== 'POST' && (query as RecordRequest['query']).total === 'exact'
    ? ('background' as const)
    : ('person' as const)

function resourcesOf(served: ServedModel) {
  const { model, url } = served
  const resource = (route: string, handlers: [string, Declared][]): Resource => ({
    route,
    handlers: Object.fromEntries(
      handlers.map(([method, declared]) => [method, bind(declared, served)]),
    ),
  })
  const onRecords = (methods: typeof COLLECTION_METHODS | typeof RECORD_METHODS) =>
    supported(model, methods).map(([method, action]): [string, Declared] => [
      method,
      { needs: neededFor(model, action), handler: HANDLERS[action] },
    ])
  const part = (
    method: 'GET' | 'POST',
    name: string,
    needs: AccessRequirement,
    handler: RecordHandler,
  ) => [name, resource(`${url}/:id/${name}`, [[method, { needs, handler }]])] as const
  const fill = { needs: neededFor(model, 'create', 'update'), handler: describeForm }
  return {
    collection: resource(url, onRecords(COLLECTION_METHODS)),
    form: resource(`${url}/form-metadata`, [['GET', fill]]),
    record: resource(`${url}/:id`, onRecords(RECORD_METHODS)),
    parts: new Map([
      part('GET', 'history', { access: historyAccess(model) }, history),
      part('GET', 'about', neededFor(model, 'get'), about),
      ...(hasFiles(model) ? [part('POST', 'file-links', neededFor(model, 'get'), fileLinks)] : []),
      part('GET', 'neighbours', neededFor(model, 'list'), neighbours),
      part('POST', 'restore', neededFor(model, 'delete', 'update'), restore),
      part(
        'POST',
        'purge',
        hasTrash(model) ? { access: model.purge, isFresh: true } : PUBLIC,
        purge,
      ),
      ...Object.entries(model.actions).map(([name, { access, isFresh }]) =>
        part('POST', name, { access, ...(isFresh ? { isFresh } : {}) }, actionHandler(name)),
      ),
    ]),
  }
}

type Declared = { needs: AccessRequirement; handler: RecordHandler }

const HANDLERS: Record<Action, RecordHandler> = { list, create, get, update, delete: remove }

const bind = ({ needs, handler }: Declared, served: ServedModel): Handler => ({
  needs,
  handle: (request, reply) => handler(served, request as RecordRequest, reply),
})
