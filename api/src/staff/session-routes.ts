import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Limits } from '#platform/env.ts'
import { signInRequired } from '#platform/errors.ts'
import { USER } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import type { Engine } from '#engine/engine.ts'
import { countWrite } from '#engine/write/write-quota.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'

const URL = '/api/me/sessions'
const OTHERS_URL = `${URL}/sign-out-others`
const ONE_URL = `${URL}/:id/sign-out`

export function sessionRoutes(
  app: FastifyInstance,
  { engine, limits }: { engine: Engine; limits: Pick<Limits, 'writesPerMinute'> },
) {
  const users = { config: { needs: USER } }
  const count = (request: FastifyRequest) => countWrite(engine, request, limits.writesPerMinute)

  app.get(URL, users, ({ visitor }) => listSessions(engine, requireVisitor(visitor)))

  app.post(OTHERS_URL, users, async (request, reply) => {
    await count(request)
    await endOtherSessions(engine, requireVisitor(request.visitor))
    return reply.code(204).send()
  })

  app.post<{ Params: { id: string } }>(ONE_URL, users, async (request, reply) => {
    await count(request)
    await endSession(engine, requireVisitor(request.visitor), request.params.id)
    return reply.code(204).send()
  })

  refuseOtherMethods(app, URL, ['GET'], 'GET')
  refuseOtherMethods(app, OTHERS_URL, ['POST'], 'POST')
  refuseOtherMethods(app, ONE_URL, ['POST'], 'POST')
}

function requireVisitor(visitor: FastifyRequest['visitor']) {
  if (!visitor) throw signInRequired()
  return visitor
}
