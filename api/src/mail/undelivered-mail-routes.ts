import { problemMessages, queryMessages } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '#engine/engine.ts'
import { writeAuditEvent } from '#engine/history/audit-trail.ts'
import { countWrite } from '#engine/write/write-quota.ts'
import { ADMIN } from '#platform/http/access-level.ts'
import { deadLetters, undeliveredAlerts } from './dead-letters.ts'
import type { Limits } from '#platform/env.ts'
import { conflict, invalidQuery, recordNotFound } from '#platform/errors.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import type { Mails } from '#engine/mail-kind.ts'
import { retryMail } from '#platform/mail/outbox.ts'
import { isUuid } from '#platform/uuid.ts'

const URL = '/api/system/mails'
const RETRY_URL = `${URL}/:id/retry`

type Options = { engine: Engine; limits: Pick<Limits, 'writesPerMinute'>; mails: Mails }
/** A repeated parameter is an array, which both checks reject. */
type List = { Querystring: { after?: string; alerts?: string } }

export function undeliveredMailRoutes(app: FastifyInstance, { engine, limits, mails }: Options) {
  const { db } = engine
  app.get<List>(URL, { config: { needs: ADMIN } }, async ({ query: { after, alerts } }) => {
    if (after !== undefined && !isUuid(after)) throw invalidQuery(queryMessages.invalidCursor)
    if (!['true', 'false', undefined].includes(alerts))
      throw invalidQuery(queryMessages.trueOrFalse('alerts'))
    return alerts === 'true' ? undeliveredAlerts(db, mails) : deadLetters(db, mails, after ?? null)
  })

  app.post<{ Params: { id: string } }>(
    RETRY_URL,
    { config: { needs: ADMIN } },
    async (request, reply) => {
      const { params } = request
      if (!isUuid(params.id)) throw recordNotFound()
      const { actor } = await countWrite(engine, request, limits.writesPerMinute)
      await db.transaction(async (tx) => {
        const mail = await retryMail(tx, params.id)
        if (mail === 'unknown') throw recordNotFound()
        if (mail === 'address-gone') throw conflict(mail, problemMessages.addressGone)
        const event = { action: 'retry', entity: 'mails', entityId: params.id } as const
        if (mail === 'queued') await writeAuditEvent(tx, { ...event, actor, requestId: request.id })
      })
      return reply.code(202).send()
    },
  )

  refuseOtherMethods(app, URL, ['GET'], 'GET')
  refuseOtherMethods(app, RETRY_URL, ['POST'], 'POST')
}
