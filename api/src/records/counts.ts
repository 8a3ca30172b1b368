import { canDo, type Model } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '#errors.ts'
import { refuseOthers } from '#methods.ts'
import { callerOf, type Caller, type Engine } from './engine.ts'
import { countRecords } from './list.ts'
import { readListQuery } from './list-query.ts'

const URL = '/api/models/counts'

/** How many records stand behind each entry of the caller's menu, counted as far as a list counts. */
export function countRoutes(app: FastifyInstance, engine: Engine) {
  app.get(URL, async ({ visitor }) => {
    const caller = await callerOf(engine, visitor)
    const shown = engine.models.filter((model) => model.menu && canDo(model, 'list', visitor))
    const counts = await Promise.all(shown.map((model) => countOf(engine, model, caller)))
    return Object.fromEntries(shown.map((model, place) => [model.path, counts[place]]))
  })

  refuseOthers(app, URL, ['GET'], 'GET')
}

/** A number beside a menu entry is not worth waiting for: where counting is slow there is none. */
async function countOf(engine: Engine, model: Model, caller: Caller) {
  const query = readListQuery({}, model, caller.level)
  try {
    return await countRecords({ engine, tx: engine.db, model, caller }, query)
  } catch (error) {
    if (error instanceof HttpError && error.code === 'too-slow') return null
    throw error
  }
}
