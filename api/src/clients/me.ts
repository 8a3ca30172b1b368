import { levelOf } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { HttpError, signInRequired } from '#platform/errors.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import type { Caller } from '#engine/caller.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { getRecord } from '#engine/query/get-record.ts'
import { resolveLink, toClaims } from './client-claims.ts'
import { USER } from '#platform/http/access-level.ts'

const URL = '/api/me'

export function meRoutes(app: FastifyInstance, engine: Engine) {
  app.get(URL, { config: { needs: USER } }, async ({ visitor }) => {
    if (!visitor) throw signInRequired()
    const level = levelOf(visitor)
    const link =
      level === 'user' ? await resolveLink({ engine, db: engine.db, sub: visitor.sub }) : null
    const caller = { visitor, level, claims: toClaims(visitor, link) }
    const accounts = tableOf(engine, modelOf(engine, 'accounts'))
    const [account] = await engine.db.query(
      sql<{ link: string }>`select link from ${accounts}
        where sub = ${visitor.sub} and deleted_at is null`,
      'prepared',
    )
    return {
      name: visitor.name,
      link: account?.link ?? 'none',
      portalRole: link?.portalRole ?? null,
      organisation: await organisationOf({ engine, caller }, link?.organisation),
    }
  })

  refuseOtherMethods(app, URL, ['GET'], 'GET')
}

type MeRequest = { engine: Engine; caller: Caller }

/** Null if the caller may not see the organisation. */
async function organisationOf({ engine, caller }: MeRequest, id: string | null | undefined) {
  if (!id) return null
  const context = { engine, tx: engine.db, model: modelOf(engine, 'organisations'), caller }
  try {
    const { name } = await getRecord(context, id)
    return { id, name }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
