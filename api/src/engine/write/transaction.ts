import { levelOf, type SystemFields } from '@gatehouse/model'
import type { FastifyRequest } from 'fastify'
import { newId } from '#platform/new-id.ts'
import type { HookContext, Records, StoredOf, Typed } from '#engine/behaviour.ts'
import { callerOf, type Caller } from '#engine/caller.ts'
import { buildWork } from './unit-of-work.ts'
import { modelOf, type Engine } from '#engine/engine.ts'
import { actorOf, type Actor } from '#engine/history/trace.ts'
import type { Runner } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import { HttpError } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Mails } from '#platform/mail/outbox.ts'
import { queueMail, type Looked, type OperationContext } from './run-hooks.ts'
import { isKeyTaken, once, type Created } from './idempotency.ts'
import { openRecords } from './records.ts'
import { buildCreationQuota, countWrite, type CreationQuota } from './write-quota.ts'

export type ChangeOptions = {
  engine: Engine
  limits: Pick<Limits, 'writesPerMinute' | 'creationsPerMinute'>
}

/** Runs a request's change: rate-limited, in one transaction, as one operation. */
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
  return inTransaction(engine, (tx, looked) => {
    const quota = buildCreationQuota({ counter, perMinute: limits.creationsPerMinute })
    const parts = { engine, tx, caller, actor, requestId, operationId, quota, looked }
    return whole(tx, operationOf(parts), run)
  })
}

/** What is refused is tried again if a repetition has written the same key since: it was refused for what that one did. */
async function inTransaction<T>({ db }: Engine, run: (tx: Runner, looked: Looked) => Promise<T>) {
  const looked: Looked = { key: null }
  const attempt = () => db.transaction((tx) => run(tx, looked))
  return attempt().catch(async (error: unknown) => {
    const isFailure = error instanceof HttpError && error.status >= FAILURES
    if (!isFailure && (await isKeyTaken(db, looked))) return attempt()
    throw error
  })
}

/** The server's, by their status: nobody knows what they have left. */
const FAILURES = 500

/** Everything is written by the end. Lock order: records, then the counters of creations. */
async function whole<C extends OperationContext, T>(
  tx: Runner,
  context: C,
  run: (context: C) => Promise<T>,
) {
  const done = await run(context)
  await context.work.flush()
  await context.quota.write(tx)
  return done
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
  inTransaction(engine, async (tx, looked) => {
    const caller = { visitor, level: levelOf(visitor), claims: {} }
    const actor = system ?? (await actorOf(tx, visitor))
    const operationId = newId()
    const model = modelOf(engine, path)
    const operation = operationOf({ engine, tx, caller, actor, requestId, operationId, looked })
    return whole(tx, { ...operation, model }, (write) =>
      run({
        tx: write.work.tx,
        records: openRecords(write, model) as unknown as Records<M>,
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
  const made = work.changes.find(({ action, row }) => action === 'create' && row.id === id)
  return made?.revisionId ?? ''
}

type Parts = {
  engine: Engine
  tx: Runner
  caller: Caller
  actor: Actor
  requestId: string
  operationId: string
  looked?: Looked
  /** Without it creations aren't counted. */
  quota?: CreationQuota
}

/** An operation from its parts. */
export function operationOf({
  quota = NO_QUOTA,
  looked = { key: null },
  ...parts
}: Parts): OperationContext {
  const work = buildWork(parts)
  return { ...parts, tx: work.tx, work, quota, openRecords, looked, depth: 0 }
}

const NO_QUOTA: CreationQuota = { limitOf: () => null, add: () => {}, write: async () => {} }
