import { levelOf, visibleFields } from '@gatehouse/model'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { actorOf } from '#audit.ts'
import type { Row, Runner } from '#db.ts'
import { createRecord } from './change.ts'
import { modelOf, type Engine } from './engine.ts'
import { once, type Made } from './idempotency.ts'
import { present } from './read.ts'

type Creation = {
  request: FastifyRequest
  /** For a caller that can't send an Idempotency-Key. */
  key?: string | undefined
  /** What a repetition with the same Idempotency-Key must say again. */
  body: unknown
  /** What the record holds; asked once, in the transaction, and not for a repetition. */
  values: (tx: Runner) => Promise<Row>
  /** What else belongs to the creation; returns whether a confirmation was queued. */
  after: (tx: Runner, record: Row) => Promise<boolean>
}

/**
 * Makes records that nobody may make through the generic routes, because a route of its own knows the rules. They leave
 * the same revision and audit row as any other.
 */
export const createFor =
  (engine: Engine, path: string) =>
  ({ request, key, body, values, after }: Creation): Promise<Made> =>
    engine.db.transaction(async (tx) => {
      const model = modelOf(engine, path)
      const { visitor, id: requestId } = request
      const level = levelOf(visitor)
      const actor = await actorOf(tx, visitor)
      const caller = { visitor, level, link: null }
      const changing = { engine, tx, model, caller, actor, requestId, operationId: uuidv7() }
      const sent = request.headers['idempotency-key']?.toString()
      return once(changing, { key: key ?? sent, body }, async () => {
        const { id, row, revisionId } = await createRecord(changing, await values(tx))
        const isConfirmed = await after(tx, row)
        const [record] = await present(changing, [row], visibleFields(model, level))
        const { operationId } = changing
        return { id, record: record ?? row, revisionId, operationId, isConfirmed }
      })
    })
