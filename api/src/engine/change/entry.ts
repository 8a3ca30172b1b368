import { sql } from 'drizzle-orm'
import { SYSTEM } from '#engine/caller.ts'
import type { Engine } from '#engine/engine.ts'
import { subjectRefs } from '#engine/history/tables.ts'
import { actorOf, type Actor } from '#engine/history/trace.ts'
import { keptStatement, slot, type Asked } from '#engine/query/texts.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { countedAs, countWrite } from '#platform/http/limits.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { writeCounts } from '#platform/tables.ts'

type Request = { visitor: SignedIn | null; ip: string }

/** Who writes, and what their writes are counted under. Counted before anything else: refused requests count too. */
export async function enter(engine: Engine, { visitor, ip }: Request, perMinute: number) {
  const known = visitor && (await countKnown(engine, visitor, perMinute))
  if (known) return known
  const actor = await actorOf(engine.db, visitor)
  const counted = await countedAs(engine.db, actor.ref, ip)
  await countWrite(engine.db, counted, perMinute)
  return { actor, counted }
}

type Entered = { actor: Actor; counted: string }
type Entering = Asked & { sub: string }
type Counted = { ref: string; count: number; seconds: number }

/** Null for an account that has never written anything. */
async function countKnown(
  engine: Engine,
  { sub, role }: SignedIn,
  perMinute: number,
): Promise<Entered | null> {
  const asked = { engine, caller: SYSTEM, at: new Date(), sub }
  const [row] = await engine.db.query(
    keptStatement(asked, { key: 'enter', build: () => ENTER, isNamed: true }),
  )
  if (!row) return null
  if (row.count > perMinute) throw tooManyRequests(Math.max(1, row.seconds))
  return { actor: { ref: row.ref, kind: role }, counted: row.ref }
}

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
