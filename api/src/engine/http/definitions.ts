import { createHash } from 'node:crypto'
import {
  isStaff,
  levelOf,
  toWire,
  type Access,
  type JsonSchema,
  type Model,
  type Visitor,
} from '@gatehouse/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import { confirmsCreation } from '#engine/compile-behaviours.ts'
import { behaviourOf, type Engine } from '#engine/engine.ts'
import { describedWithFiles } from '#engine/files/described-files.ts'
import type { Files } from '#platform/files/open-files.ts'
import { buildOpenApi } from './openapi.ts'
import { PUBLIC } from '#platform/http/access-level.ts'

type Options = { fixedPaths: (level: Access) => Record<string, JsonSchema>; files: Files | null }

/** The API's self-description: models for the browser, OpenAPI for other clients. */
export function definitionRoutes(
  app: FastifyInstance,
  engine: Engine,
  { fixedPaths, files }: Options,
) {
  const models = engine.models.map((model) => describedWithFiles(model, files))
  app.get('/api/models', { config: { needs: PUBLIC } }, (request, reply) => {
    const { visitor } = request
    const { site } = engine
    const definitions = toDefinitions(describedModels({ models }, visitor), {
      models,
      site,
      visitor,
    })
    return sendTagged(request, reply, JSON.stringify(definitions))
  })

  const confirms = (model: Model) => confirmsCreation(behaviourOf({ engine, model }))
  const documents = new Map<Access, string>()
  app.get('/api/openapi.json', { config: { needs: PUBLIC } }, (request, reply) => {
    const level = levelOf(request.visitor)
    const document =
      documents.get(level) ??
      JSON.stringify(buildOpenApi({ models: engine.models, fixedPaths, confirms }, level))
    documents.set(level, document)
    return sendTagged(request, reply, document)
  })

  for (const url of ['/api/models', '/api/openapi.json'])
    refuseOtherMethods(app, url, ['GET'], 'GET')
}

type Reader = { models: readonly Model[]; site: Site; visitor: Visitor }

/** Definitions of some of the models. */
export function toDefinitions(described: readonly Model[], { models, site, visitor }: Reader) {
  const { today, ...rest } = contextOf(site)
  // Truncated to the day, or the ETag would never match; form metadata has the exact time.
  const context = { ...rest, today, now: `${today}T00:00:00.000Z`, models }
  return described.map((model) => toWire(model, visitor, context))
}

/** Models whose definition this visitor gets: others can't be shown to them. */
export const describedModels = ({ models }: Pick<Reader, 'models'>, visitor: Visitor) =>
  models.filter((model) => model.menu || isStaff(levelOf(visitor)))

function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string) {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  reply
    .header('etag', tag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization')
  const ifNoneMatch = request.headers['if-none-match']
    ?.split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
  if (ifNoneMatch?.includes(tag)) return reply.code(304).send()
  return reply.type('application/json').send(text)
}
