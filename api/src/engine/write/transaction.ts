import { levelOf, type Model, type SystemFields } from '@gatehouse/model'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { sql } from 'drizzle-orm'
import type { HookContext, Records, StoredOf, Typed } from '#engine/behaviour.ts'
import { callerOf, type Caller } from '#engine/caller.ts'
import { modelOf, type Engine } from '#engine/engine.ts'
import { revisions } from '#engine/history/tables.ts'
import { actorOf, type Actor } from '#engine/history/trace.ts'
import { one, type Runner, type IdRow } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { countedAs, countWrite } from '#platform/http/limits.ts'
import type { Mails } from '#platform/outbox.ts'
import { queueMail, type OperationContext, type WriteContext } from './events.ts'
import { once, type Created } from './idempotency.ts'
import { openRecords } from './records.ts'

export type ChangeOptions = {
  engine: Engine
  limits: Pick<Limits, 'writesPerMinute' | 'creationsPerMinute'>
}

/** Runs a request's change: rate-limited, in one transaction, as one operation. */
export async function runChange<T>(
  { engine, limits }: ChangeOptions,
  request: FastifyRequest,
  run: (context: OperationContext) => Promise<T>,
) {
  const { visitor, id: requestId } = request
  const actor = await actorOf(engine.db, visitor)
  const counted = await countedAs(engine.db, actor.ref, request.ip)
  await countWrite(engine.db, counted, limits.writesPerMinute)
  const caller = await callerOf(engine, visitor)
  const operationId = uuidv7()
  return engine.db.transaction((tx) => {
    // In the transaction and not for repeats: only real creations count. Lock order: records, then the counter.
    const countCreation = async ({ path, createPerMinute }: Model) => {
      if (createPerMinute === null) return
      await countWrite(tx, `${counted} ${path}`, limits.creationsPerMinute ?? createPerMinute)
    }
    return run(operationOf({ engine, tx, caller, actor, requestId, operationId, countCreation }))
  })
}

type Opening<M extends Typed, Ms extends Mails> = {
  engine: Engine
  /** The actor, and the request it belongs to. */
  request: { visitor: SignedIn | null; id: string }
  model: M
  mails?: Ms
  /** In place of the visitor: what the system does by itself. */
  actor?: Actor
}

type Opened<M extends Typed, Ms extends Mails> = {
  tx: Runner
  records: Records<M>
  mail: HookContext<Ms>['mail']
  /** Creates a record once per key and caller; a repeat gets the first one. */
  once: (
    keyed: { key: string | undefined; body: unknown },
    create: () => Promise<StoredOf<M> & SystemFields>,
  ) => Promise<Created>
}

/** A change outside the generic routes, by a custom route or a sign-in: no permission checks. */
export const inChange = <M extends Typed, T, Ms extends Mails = Record<never, never>>(
  {
    engine,
    request: { visitor, id: requestId },
    model: { path },
    mails,
    actor: system,
  }: Opening<M, Ms>,
  run: (change: Opened<M, Ms>) => Promise<T>,
) =>
  engine.db.transaction(async (tx) => {
    const caller = { visitor, level: levelOf(visitor), claims: {} }
    const actor = system ?? (await actorOf(tx, visitor))
    const operationId = uuidv7()
    const model = modelOf(engine, path)
    const write = {
      ...operationOf({ engine, tx, caller, actor, requestId, operationId }),
      model,
    }
    return run({
      tx,
      records: openRecords(write, model) as unknown as Records<M>,
      mail: queueMail(write, mails ?? {}),
      once: (keyed, create) =>
        once(write, keyed, async () => {
          const record = await create()
          const revisionId = keyed.key === undefined ? '' : await creationOf(write, record.id)
          return { id: record.id, record, revisionId, operationId, ...write.answer }
        }),
    })
  })

async function creationOf({ tx, model }: WriteContext, id: string) {
  const rows = await tx.query(
    sql<IdRow>`select id from ${revisions} where model = ${model.path} and record_id = ${id} and version = 1`,
  )
  return one(rows).id
}

type Parts = {
  engine: Engine
  tx: Runner
  caller: Caller
  actor: Actor
  requestId: string
  operationId: string
  countCreation?: OperationContext['countCreation']
}

/** An operation from its parts; without a limit of its own nothing is counted. */
export const operationOf = ({
  countCreation = async () => {},
  ...parts
}: Parts): OperationContext => ({
  ...parts,
  countCreation,
  openRecords,
  depth: 0,
  answer: { isConfirmed: null },
})
