import type { Model, SecurityEvent } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUuid } from '#engine/uuid.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { routeOf } from '#platform/http/resource.ts'

const MINUTE_MS = 60_000

/** Records what all routes have in common: new proofs of identity, and refusals of people we know. */
export function watchRequests(app: FastifyInstance, models: Model[]) {
  // In onSend: onResponse doesn't run for a caller who hangs up.
  app.addHook('onSend', (request, { statusCode }, _payload, done) => {
    const { visitor } = request
    if (visitor && visitor.proof.steppedUpAt !== null) app.securityLog.record(stepUp(visitor))
    // With a visitor, 401 asks for a better sign-in.
    if (visitor && (statusCode === 401 || statusCode === 403))
      app.securityLog.record({
        ...refusal(visitor, request),
        outcome: statusCode === 401 ? 'proof' : 'forbidden',
        ...placeOf(request, models),
      })
    done()
  })
}

/** Tokens are renewed with the same time of proof. */
const stepUp = ({ sub, sid, proof }: SignedIn): SecurityEvent => ({
  kind: 'step-up',
  actor: { sub },
  sid,
  once: `${sub} ${proof.steppedUpAt}`,
})

/** A loop of refused requests is one event a minute. */
const refusal = ({ sub, sid }: SignedIn, request: FastifyRequest): SecurityEvent<'denied'> => ({
  kind: 'denied',
  actor: { sub },
  sid,
  once: `${sub} ${request.method} ${routeOf(request)} ${Math.floor(Date.now() / MINUTE_MS)}`,
})

function placeOf({ params }: FastifyRequest, models: Model[]) {
  const { model: name, id } = (params ?? {}) as { model?: string; id?: string }
  const model = models.find(({ path, routeName }) => path === name || routeName === name)
  return {
    ...(model ? { model: model.path } : {}),
    ...(model && id !== undefined && isUuid(id) ? { record: id } : {}),
  }
}
