import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeNotFound, unsupportedAction } from '#platform/errors.ts'
import { PUBLIC, type AccessRequirement } from './access-level.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'] as const

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `serve`; undefined until then, null if there is none. */
    resource: Resource | null | undefined
  }
  interface FastifyContextConfig {
    /** Route name for logs and metrics, if the pattern serves several. */
    routeOf?: (request: FastifyRequest) => string
  }
}

export type Handler = {
  needs: AccessRequirement
  handle: (request: FastifyRequest, reply: FastifyReply) => unknown
}

/** A resource: its route name in logs and metrics, and its handlers in the order of the Allow header. */
export type Resource = {
  route: string
  handlers: Partial<Record<(typeof METHODS)[number], Handler>>
}

/**
 * One route for all methods of a URL pattern. 404 if `find` finds nothing, 405 if the method has no handler; both before the
 * body is read.
 */
export function serve(
  app: FastifyInstance,
  url: string,
  {
    find,
    config = {},
  }: { find: (request: FastifyRequest) => Resource | undefined; config?: FastifyContextConfig },
) {
  const resourceOf = (request: FastifyRequest) => (request.resource ??= find(request) ?? null)
  const handlerOf = (request: FastifyRequest): Handler => {
    const resource = resourceOf(request)
    if (!resource) throw routeNotFound()
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const handler = resource.handlers[method as keyof Resource['handlers']]
    if (!handler) throw unsupportedAction(Object.keys(resource.handlers).join(', '))
    return handler
  }
  app.route({
    method: [...METHODS],
    url,
    config: {
      ...config,
      routeOf: (request) => resourceOf(request)?.route ?? NO_ROUTE,
      needs: (request) => handlerOf(request).needs,
    },
    onRequest: (request, _reply, done) => {
      handlerOf(request)
      done()
    },
    handler: (request, reply) => handlerOf(request).handle(request, reply),
  })
}

const NO_ROUTE = 'none'

/** The route pattern of a request, never its raw URL. */
export const routeOf = (request: FastifyRequest) => {
  const { config, url } = request.routeOptions
  return config.routeOf?.(request) ?? url ?? NO_ROUTE
}

export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  routed: string[],
  allow: string,
) {
  const reject = () => {
    throw unsupportedAction(allow)
  }
  app.route({
    method: METHODS.filter((method) => !routed.includes(method)),
    url,
    config: { needs: PUBLIC },
    // Runs before the body is parsed; Fastify still requires a handler.
    onRequest: reject,
    handler: reject,
  })
}
