import { levelOf, type SystemFields } from '@gatehouse/model'
import type { FastifyRequest } from 'fastify'
import { newId } from '#platform/uuid.ts'
import type { HookContext } from '#engine/behaviour.ts'
import { callerOf, type Caller } from '#engine/caller.ts'
import { buildUnitOfWork } from '#engine/write/unit-of-work.ts'
import { modelOf, type Engine } from '#engine/engine.ts'
import { actorOf, type Actor } from '#engine/history/audit-trail.ts'
import type { Runner } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Mails } from '#engine/mail-kind.ts'
import type { Records, StoredOf, Typed } from '#engine/records.ts'
import { queueMail, type OperationContext } from '#engine/write/run-hooks.ts'
import {
  once,
  transactionWithKey,
  type ClaimedKey,
  type Created,
} from '#engine/write/idempotency.ts'
import { recordsFor } from './records-api.ts'
import { buildCreationQuota, countWrite, type CreationQuota } from '#engine/write/write-quota.ts'

export type ChangeOptions = {
  engine: Engine
  limits: Pick<Limits, 'writesPerMinute' | 'creationsPerMinute'>
}

export async function runChange<T>(
  options: ChangeOptions,
  request: FastifyRequest,
  run: (context: OperationContext) => Promise<T>,
) {
  const { engine, limits } = options
  const { actor, counter } = await countWrite(engine, request, limits.writesPerMinute)
  const caller = await callerOf(engine, request.visitor)
  const { id: requestId } = request
  const operationId = newId()
  return transactionWithKey(engine, (tx, claimed) => {
    const quota = buildCreationQuota({ counter, perMinute: limits.creationsPerMinute })
    const parts = { engine, tx, caller, actor, requestId, operationId, quota, claimed }
    return runAndFlush(tx, operationOf(parts), run)
  })
}

/** Flushes the batch before the commit. Lock order: records, then creation counters. */
async function runAndFlush<C extends OperationContext, T>(
  tx: Runner,
  context: C,
  run: (context: C) => Promise<T>,
) {
  const done = await run(context)
  await context.work.flush()
  await context.quota.write(tx)
  return done
}

type OperationOptions<M extends Typed, Ms extends Mails> = {
  engine: Engine
  request: { visitor: SignedIn | null; id: string }
  model: M
  mails?: Ms
  /** Overrides the visitor, for changes by the system itself. */
  actor?: Actor
}

type OperationScope<M extends Typed, Ms extends Mails> = {
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
export const runInOperation = <M extends Typed, T, Ms extends Mails = Record<never, never>>(
  {
    engine,
    request: { visitor, id: requestId },
    model: { path },
    mails,
    actor: system,
  }: OperationOptions<M, Ms>,
  run: (change: OperationScope<M, Ms>) => Promise<T>,
) =>
  transactionWithKey(engine, async (tx, claimed) => {
    const caller = { visitor, level: levelOf(visitor), claims: {} }
    const actor = system ?? (await actorOf(tx, visitor))
    const operationId = newId()
    const model = modelOf(engine, path)
    const operation = operationOf({ engine, tx, caller, actor, requestId, operationId, claimed })
    return runAndFlush(tx, { ...operation, model }, (write) =>
      run({
        tx: write.work.tx,
        records: recordsFor(write, model) as unknown as Records<M>,
        mail: queueMail(write, mails ?? {}),
        once: (keyed, create) =>
          once(write, keyed, {
            create: async () => {
              const record = await create()
              return { id: record.id, revisionId: creationOf(write, record.id), record }
            },
            respond: async ({ record }) => ({ record, isUndoable: false }),
          }),
      }),
    )
  })

function creationOf({ work }: OperationContext, id: string) {
  const creation = work.changes.find(({ action, row }) => action === 'create' && row.id === id)
  return creation?.revisionId ?? ''
}

type Parts = {
  engine: Engine
  tx: Runner
  caller: Caller
  actor: Actor
  requestId: string
  operationId: string
  claimed?: ClaimedKey
  /** Without it creations aren't counted. */
  quota?: CreationQuota
}

export function operationOf({
  quota = NO_QUOTA,
  claimed = { key: null },
  ...parts
}: Parts): OperationContext {
  const work = buildUnitOfWork(parts)
  return { ...parts, tx: work.tx, work, quota, recordsFor: recordsFor, claimed, depth: 0 }
}

const NO_QUOTA: CreationQuota = { limitOf: () => null, add: () => {}, write: async () => {} }
