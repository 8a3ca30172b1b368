import { canDo } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import { PUBLIC } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { callerOf } from '#engine/caller.ts'
import { compiledFor, type Engine } from '#engine/engine.ts'
import { chooseResults, searchModels } from '#engine/query/search.ts'
import { readTerm } from '#engine/query/search-term.ts'
import { recordSearch } from '#engine/security/request-audit.ts'
import { describedModels } from './definitions.ts'
import { serialiseFor } from './record-handler.ts'

const URL = '/api/models/search'

/** Records of all models that the caller may list, for the palette. */
export function searchRoutes(app: FastifyInstance, engine: Engine) {
  app.get<{ Querystring: Record<string, unknown> }>(
    URL,
    { config: { needs: PUBLIC } },
    async (request, reply) => {
      const term = readTerm(request.query)
      const caller = await callerOf(engine, request.visitor)
      const models = describedModels(engine, request.visitor).filter((model) =>
        canDo(model, 'list', request.visitor),
      )
      const searches = await searchModels({ engine, models, caller, term })
      const results = chooseResults(searches)
      for (const { model, compared, rows } of searches) {
        const shown = results.filter((one) => one.model === model).map(({ record }) => record)
        if (rows) recordSearch({ request, model, level: caller.level }, compared, shown)
      }
      const items = results.map(({ model, record }) => {
        const { item } = compiledFor({ engine, model, caller })
        return `{"model":${JSON.stringify(model.path)},"record":${serialiseFor(item, reply, record)}}`
      })
      const slow = searches.filter(({ rows }) => rows === null).map(({ model }) => model.path)
      return reply
        .type('application/json')
        .send(`{"items":[${items.join()}],"slow":${JSON.stringify(slow)}}`)
    },
  )

  refuseOtherMethods(app, URL, ['GET'], 'GET')
}
