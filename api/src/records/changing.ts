import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { actorOf } from '#audit.ts'
import type { Runner } from '#db.ts'
import type { Env } from '#env.ts'
import { countWrite } from '#limits.ts'
import { networkOf } from '#network.ts'
import type { Changing } from './change.ts'
import { callerOf, type Engine } from './engine.ts'

export type ChangeOptions = {
  engine: Engine
  limits: Pick<Env['limits'], 'writesPerMinute' | 'creationsPerMinute'>
}

/** A change before it is known what of. */
export type Operating = Omit<Changing, 'model'>

/** Runs what a request changes: counted against its limit, in one transaction, as one operation. */
export async function runChange<T>(
  { engine, limits }: ChangeOptions,
  request: FastifyRequest,
  run: (operating: Operating) => Promise<T>,
) {
  const { visitor } = request
  const actor = await actorOf(engine.db, visitor)
  await countWrite(engine.db, actor.ref ?? networkOf(request.ip), limits.writesPerMinute)
  const caller = await callerOf(engine, visitor)
  const shared = { engine, caller, actor, requestId: request.id, operationId: uuidv7() }
  return engine.db.transaction((tx: Runner) => run({ ...shared, tx }))
}
