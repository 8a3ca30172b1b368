import { sql } from 'drizzle-orm'
import { Misjudged, SYSTEM } from '#engine/caller.ts'
import type { Engine } from '#engine/engine.ts'
import { subjectRefs } from '#engine/history/tables.ts'
import { actorOf, type Actor } from '#engine/history/trace.ts'
import { keptStatement, slot, type Asked } from '#engine/query/texts.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { countedAs, countWrite } from '#platform/http/limits.ts'
import { tooManyRequests } from '#platform/errors.ts'
import type { Row } from '#platform/db.ts'
import type { Ahead } from '#platform/pool/line.ts'
import { remember } from '#platform/remember.ts'
import { writeCounts } from '#platform/tables.ts'

type Request = { visitor: SignedIn | null; ip: string }

/** Who writes, and what their writes are counted under. */
export type Entered = { actor: Actor; counted: string }

/** Counted before anything else: refused requests count too. */
export async function enter(
  engine: Engine,
  { visitor, ip }: Request,
  perMinute: number,
): Promise<Entered> {
  const [row] = visitor ? await engine.db.query(entering(engine, visitor)) : []
  if (visitor && row) {
    requireWithin(row, perMinute)
    remember(refsIn(engine), visitor.sub, row.ref, REMEMBERED_MAX)
    return enteredAs(visitor, row.ref)
  }
  // An account that has never written anything.
  const actor = await actorOf(engine.db, visitor)
  const counted = await countedAs(engine.db, actor.ref, ip)
  await countWrite(engine.db, counted, perMinute)
  return { actor, counted }
}

/**
 * Someone who wrote before, as they were then: counted ahead of what is written. Null where that isn't known, also of those
 * who were over the limit: they cost no more than the count.
 */
export function presumeEntered(
  engine: Engine,
  { visitor }: Request,
  perMinute: number,
): (Entered & { ahead: Ahead }) | null {
  const ref = visitor && refsIn(engine).get(visitor.sub)
  if (!visitor || !ref) return null
  const check = ([rows = []]: Row[][]) => {
    const [row] = rows as Counted[]
    if (row?.ref === ref && row.count <= perMinute) return
    refsIn(engine).delete(visitor.sub)
    if (row?.ref !== ref) throw new Misjudged()
    requireWithin(row, perMinute)
  }
  return { ...enteredAs(visitor, ref), ahead: { statements: [entering(engine, visitor)], check } }
}

const enteredAs = ({ role }: SignedIn, ref: string) => ({
  actor: { ref, kind: role },
  counted: ref,
})

function requireWithin({ count, seconds }: Counted, perMinute: number) {
  if (count > perMinute) throw tooManyRequests(Math.max(1, seconds))
}

const REMEMBERED_MAX = 5_000
const refs = new WeakMap<Engine, Map<string, string>>()

function refsIn(engine: Engine) {
  const known = refs.get(engine) ?? new Map<string, string>()
  refs.set(engine, known)
  return known
}

type Entering = Asked & { sub: string }
type Counted = { ref: string; count: number; seconds: number }

const entering = (engine: Engine, { sub }: SignedIn) =>
  keptStatement(
    { engine, caller: SYSTEM, at: new Date(), sub },
    { key: 'enter', build: () => ENTER, isNamed: true },
  )

/** Doesn't wait for the disk: a crash forgets the last counts at worst, and what is written next is waited for. */
const ENTER = sql<Counted>`with known as materialized (
    select ref from ${subjectRefs} where sub = ${slot(({ sub }: Entering) => sub)}
  ), counted as (
    insert into ${writeCounts} as counter (caller, minute, count)
    select ref::text, date_trunc('minute', now()), 1 from known
    on conflict (caller, minute) do update set count = counter.count + 1 returning count
  )
  select known.ref, counted.count, 60 - extract(second from now())::int as seconds
  from known, counted, set_config('synchronous_commit', 'off', true)`
