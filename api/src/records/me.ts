import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { HttpError, signInRequired } from '#errors.ts'
import { refuseOthers } from '#methods.ts'
import { callerOf, modelOf, tableOf, type Caller, type Engine } from './engine.ts'
import { getRecord } from './read.ts'

const URL = '/api/me'

/** What the site needs to know of whoever is signed in: how far the link to a contact has come, and where it leads. */
export function meRoutes(app: FastifyInstance, engine: Engine) {
  app.get(URL, async ({ visitor }) => {
    if (!visitor) throw signInRequired()
    const caller = await callerOf(engine, visitor)
    const accounts = tableOf(engine, modelOf(engine, 'accounts'))
    const [account] = await engine.db.query(
      sql`select link from ${accounts} where sub = ${visitor.sub} and deleted_at is null`,
      'prepared',
    )
    return {
      name: visitor.name,
      link: account?.['link'] ?? 'none',
      portalRole: caller.link?.portalRole ?? null,
      organisation: await organisationOf(engine, caller),
    }
  })

  refuseOthers(app, URL, ['GET'], 'GET')
}

/** As in any reading: an organisation the caller may not see is none. */
async function organisationOf(engine: Engine, caller: Caller) {
  const id = caller.link?.organisation
  if (!id) return null
  const reading = { engine, tx: engine.db, model: modelOf(engine, 'organisations'), caller }
  try {
    return { id, name: (await getRecord(reading, id))['name'] }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
