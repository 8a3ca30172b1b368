import { sql } from 'drizzle-orm'
import { Misjudged, SYSTEM } from '#engine/caller.ts'
import { perEngine, type Engine } from '#engine/engine.ts'
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
  const [row] = visitor ? await engine.db.query(entering(engine, visitor, 1)) : []
  if (visitor && row) {
    requireWithin(row, 1, perMinute)
    remember(writersIn(engine), visitor.sub, { ref: row.ref, left: 0, until: 0 }, REMEMBERED_MAX)
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
  const writer = visitor && writersIn(engine).get(visitor.sub)
  if (!visitor || !writer) return null
  const entered = enteredAs(visitor, writer.ref)
  const forget = (row: { ref: string } | undefined) => {
    writersIn(engine).delete(visitor.sub)
    if (row?.ref !== writer.ref) throw new Misjudged()
  }
  if (writer.left > 0 && performance.now() < writer.until) {
    writer.left--
    const check = ([rows = []]: Row[][]) => {
      const [row] = rows as { ref: string }[]
      if (row?.ref !== writer.ref) forget(row)
    }
    return { ...entered, ahead: { statements: [confirming(engine, visitor)], check } }
  }
  const count = countedTogether(perMinute)
  const check = ([rows = []]: Row[][]) => {
    const [row] = rows as Counted[]
    if (!row || row.ref !== writer.ref) return forget(row)
    const kept = performance.now() < writer.until ? writer.left : 0
    const isOver = row.count - count >= perMinute
    if (isOver && kept === 0) {
      forget(row)
      requireWithin(row, count, perMinute)
    }
    // Another request may have counted while this one did: what it has left is as good.
    writer.left = kept + (isOver ? 0 : Math.min(count, perMinute - row.count + count)) - 1
    // Before the minute ends in the database, never after.
    writer.until = performance.now() + (row.seconds - 1) * 1_000
    remember(writersIn(engine), visitor.sub, writer, REMEMBERED_MAX)
  }
  const statements = [entering(engine, visitor, count)]
  return { ...entered, ahead: { statements, check, isOwn: true } }
}

/**
 * Several writes are counted together, and the next ones need no counting: at most a twentieth of the limit. What a replica
 * has counted for someone who goes on at another may be missed there until the minute ends.
 */
const countedTogether = (perMinute: number) =>
  Math.max(1, Math.min(TOGETHER_MAX, Math.floor(perMinute / 20)))
const TOGETHER_MAX = 10

const enteredAs = ({ role }: SignedIn, ref: string) => ({
  actor: { ref, kind: role },
  counted: ref,
})

function requireWithin({ count, seconds }: Counted, added: number, perMinute: number) {
  if (count - added >= perMinute) throw tooManyRequests(Math.max(1, seconds))
}

/** A reference, and how many writes are counted already until the minute ends. */
type Writer = { ref: string; left: number; until: number }

const REMEMBERED_MAX = 5_000
const writersIn = perEngine(() => new Map<string, Writer>())

type Entering = Asked & { sub: string; added: number }
type Counted = { ref: string; count: number; seconds: number }

const entering = (engine: Engine, { sub }: SignedIn, added: number) =>
  keptStatement(
    { engine, caller: SYSTEM, at: new Date(), sub, added },
    { key: 'enter', build: () => ENTER, isNamed: true },
  )

const confirming = (engine: Engine, { sub }: SignedIn) =>
  keptStatement(
    { engine, caller: SYSTEM, at: new Date(), sub },
    { key: 'confirm', build: () => CONFIRM, isNamed: true },
  )

const SUB = slot(({ sub }: Pick<Entering, 'sub'>) => sub)
const ADDED = sql`${slot(({ added }: Entering) => added)}::int`

const CONFIRM = sql<{ ref: string }>`select ref from ${subjectRefs} where sub = ${SUB}`

/** Doesn't wait for the disk: a crash forgets the last counts at worst, and what is written next is waited for. */
const ENTER = sql<Counted>`with known as materialized (
    select ref from ${subjectRefs} where sub = ${SUB}
  ), counted as (
    insert into ${writeCounts} as counter (caller, minute, count)
    select ref::text, date_trunc('minute', now()), ${ADDED} from known
    on conflict (caller, minute) do update set count = counter.count + excluded.count returning count
  )
  select known.ref, counted.count, 60 - extract(second from now())::int as seconds
  from known, counted, set_config('synchronous_commit', 'off', true)`
