import type { Model } from '@gatehouse/model'
import { sql, type SQLWrapper } from 'drizzle-orm'
import type { Engine } from '#engine/engine.ts'
import { subjectRefs } from '#engine/history/history-tables.ts'
import { actorOf, type Actor } from '#engine/history/audit-trail.ts'
import { cachedStatement, deferred } from '#engine/query/statement-cache.ts'
import { onlyRow, type Runner } from '#platform/db.ts'
import { tooManyRequests } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { networkOf } from '#platform/admission-control/client-network.ts'
import { saltedHash } from '#platform/salted-hash.ts'
import { writeCounts } from '#platform/platform-tables.ts'

type Request = { visitor: SignedIn | null; ip: string }

export type WriterIdentity = { actor: Actor; counter: string }

/** Counts a write against the caller's limit, in all replicas; before anything else, so that rejected requests count too. */
export async function countWrite(
  engine: Engine,
  { visitor, ip }: Request,
  perMinute: number,
): Promise<WriterIdentity> {
  if (!visitor) {
    const counter = await saltedHash(engine.db, networkOf(ip))
    requireWithinLimit(onlyRow(await engine.db.query(countAnonymous(engine, counter))), perMinute)
    return { actor: { ref: null, kind: 'anonymous' }, counter }
  }
  let [counted] = await engine.db.query(countAccount(engine, visitor.sub))
  if (!counted) {
    // The account's first write.
    await actorOf(engine.db, visitor)
    counted = onlyRow(await engine.db.query(countAccount(engine, visitor.sub)))
  }
  requireWithinLimit(counted, perMinute)
  return { actor: { ref: counted.ref, kind: visitor.role }, counter: counted.ref }
}

type CreationLimits = { perMinute: number | null; counter: string }

export type CreationLimit = { counter: string; max: number }

export type CreationQuota = ReturnType<typeof buildCreationQuota>

/** Counts an operation's creations in models with `createPerMinute`; `perMinute` overrides the models' limit. */
export function buildCreationQuota({ perMinute, counter }: CreationLimits) {
  const created = new Map<string, CreationLimit & { count: number }>()

  const limitOf = ({ path, createPerMinute }: Model): CreationLimit | null =>
    createPerMinute === null
      ? null
      : { counter: `${counter} ${path}`, max: perMinute ?? createPerMinute }

  return {
    limitOf,
    add(model: Model) {
      const limit = limitOf(model)
      if (!limit) return
      const count = (created.get(limit.counter)?.count ?? 0) + 1
      created.set(limit.counter, { ...limit, count })
    },
    /** Locks the counters, so it runs last before the commit; in one order, because an operation may have several. */
    async write(tx: Runner) {
      for (const { counter: caller, max, count } of [...created.values()].toSorted(byCounter))
        requireWithinLimit(
          onlyRow(
            await tx.query(
              sql<Count>`${INSERT} values (${caller}, date_trunc('minute', now()), ${count}::int)
                on conflict (caller, minute) do update set count = counter.count + excluded.count
                returning count, ${SECONDS}`,
              'prepared',
            ),
          ),
          max,
        )
    },
  }
}

const byCounter = (a: CreationLimit, b: CreationLimit) => (a.counter < b.counter ? -1 : 1)

/** SQL: whether the counter is below its limit. Takes no lock, so others may reach the limit before this operation counts. */
export const isBelowLimit = ({ counter, max }: { counter: SQLWrapper; max: SQLWrapper }) =>
  sql`coalesce((select count from ${writeCounts}
    where caller = ${counter} and minute = date_trunc('minute', now())), 0) < ${max}`

export const creationLimitReached = () => tooManyRequests(60 - new Date().getSeconds())

type Count = { count: number; seconds: number }

function requireWithinLimit({ count, seconds }: Count, perMinute: number) {
  if (count > perMinute) throw tooManyRequests(Math.max(1, seconds))
}

const countAccount = (engine: Engine, sub: string) =>
  cachedStatement(
    { engine, sub },
    { key: 'count account', build: () => COUNT_ACCOUNT, isNamed: true },
  )

const countAnonymous = (engine: Engine, counter: string) =>
  cachedStatement(
    { engine, counter },
    { key: 'count anonymous', build: () => COUNT_ANONYMOUS, isNamed: true },
  )

const SUB = deferred(({ sub }: { sub: string }) => sub)
const COUNTER = deferred(({ counter }: { counter: string }) => counter)

const INSERT = sql`insert into ${writeCounts} as counter (caller, minute, count)`
const ADD_ONE = sql`on conflict (caller, minute) do update set count = counter.count + 1 returning count`
const SECONDS = sql`60 - extract(second from now())::int as seconds`
/** A crash loses at most the last counts, so the commit doesn't wait for disk or standby. */
const ASYNCHRONOUS = sql`set_config('synchronous_commit', 'off', true)`

/** No row if the account has no reference yet. */
const COUNT_ACCOUNT = sql<Count & { ref: string }>`with known as materialized (
    select ref from ${subjectRefs} where sub = ${SUB}
  ), counted as (
    ${INSERT} select ref::text, date_trunc('minute', now()), 1 from known ${ADD_ONE}
  )
  select known.ref, counted.count, ${SECONDS} from known, counted, ${ASYNCHRONOUS}`

const COUNT_ANONYMOUS = sql<Count>`with counted as (
    ${INSERT} values (${COUNTER}::text, date_trunc('minute', now()), 1) ${ADD_ONE}
  )
  select counted.count, ${SECONDS} from counted, ${ASYNCHRONOUS}`
