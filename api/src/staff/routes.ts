import type { JsonSchema } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Limits } from '#platform/env.ts'
import { FRESH_OWNER, OWNER } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { requireBody } from '#platform/http/request-body.ts'
import type { Engine } from '#engine/engine.ts'
import { countWrite } from '#engine/write/write-quota.ts'
import { invite, type Invitation } from './invite.ts'
import { changePerson, listStaff, signOutEverywhere, type Change } from './staff-accounts.ts'

const URL = '/api/people'
const ONE_URL = `${URL}/:id`
const SIGN_OUT_URL = `${ONE_URL}/sign-out`
type OnOne = { Params: { id: string } }

const LEVEL = { type: 'string', enum: ['technician', 'owner'] }

export const INVITATION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email', maxLength: 254 },
    level: LEVEL,
    existing: { type: 'boolean' },
  },
  required: ['email', 'level'],
  additionalProperties: false,
}

export const CHANGE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    level: { type: 'string', enum: [...LEVEL.enum, 'none'] },
    enabled: { type: 'boolean' },
  },
  minProperties: 1,
  additionalProperties: false,
}

const LABELS = {
  email: { label: 'Email' },
  level: { label: 'Level' },
  enabled: { label: 'Enabled' },
  existing: { label: 'Existing account' },
}

export function staffRoutes(
  app: FastifyInstance,
  { engine, limits }: { engine: Engine; limits: Pick<Limits, 'writesPerMinute'> },
) {
  const owners = { config: { needs: OWNER } }
  // A stolen session must not suffice to create owners or lock them out.
  const provenOwners = { config: { needs: FRESH_OWNER } }
  const count = (request: FastifyRequest) => countWrite(engine, request, limits.writesPerMinute)

  app.get(URL, owners, ({ visitor }) => listStaff(engine, visitor))

  app.post(URL, provenOwners, async (request, reply) => {
    const body = requireBody(request, LABELS, INVITATION_SCHEMA) as Invitation
    await count(request)
    await invite(engine, request, body)
    return reply.code(202).send()
  })

  app.put<OnOne>(ONE_URL, provenOwners, async (request, reply) => {
    const body = requireBody(request, LABELS, CHANGE_SCHEMA) as Change
    await count(request)
    await changePerson(engine, request, { ...body, id: request.params.id })
    return reply.code(204).send()
  })

  app.post<OnOne>(SIGN_OUT_URL, owners, async (request, reply) => {
    await count(request)
    await signOutEverywhere(engine, request, request.params.id)
    return reply.code(204).send()
  })

  refuseOtherMethods(app, URL, ['GET', 'POST'], 'GET, POST')
  refuseOtherMethods(app, ONE_URL, ['PUT'], 'PUT')
  refuseOtherMethods(app, SIGN_OUT_URL, ['POST'], 'POST')
}
