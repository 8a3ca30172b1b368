import type { FastifyInstance } from 'fastify'
import { unsupportedAction } from './errors.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'] as const

/** An address that exists answers every other method with 405, whatever comes along with it. */
export function refuseOthers(app: FastifyInstance, url: string, routed: string[], allow: string) {
  const refuse = () => {
    throw unsupportedAction(allow)
  }
  app.route({
    method: METHODS.filter((method) => !routed.includes(method)),
    url,
    // Before the body is looked at; the handler is there because a route must have one.
    onRequest: refuse,
    handler: refuse,
  })
}
