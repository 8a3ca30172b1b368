import { sql } from 'drizzle-orm'
import type { Runner } from './db.ts'
import { purges } from './table.ts'

/** Records by model. */
export type Counts = Record<string, number>

type Purged = { model: string; id: string }

/** Named to admins from then on: once or twice somebody was just working on it. */
const REFUSALS_TOLD = 3
const NAMED_MAX = 20

/** Keeps what was unlinked so far, for the audit row at the end: it may take several transactions to get there. */
export const addUnlinked = (tx: Runner, { model, id }: Purged, counts: Counts) =>
  tx.query(
    sql`insert into ${purges} as known (model, record_id, unlinked) values (${model}, ${id}, ${JSON.stringify(counts)}::jsonb)
      on conflict (model, record_id) do update set tried_at = now(), unlinked = known.unlinked || (
        select coalesce(jsonb_object_agg(key, value::int + coalesce((known.unlinked ->> key)::int, 0)), '{}')
        from jsonb_each_text(excluded.unlinked))`,
  )

export const addRefusal = (tx: Runner, { model, id }: Purged, reason: string) =>
  tx.query(
    sql`insert into ${purges} as known (model, record_id, refusals, reason) values (${model}, ${id}, 1, ${reason})
      on conflict (model, record_id) do update
      set tried_at = now(), refusals = known.refusals + 1, reason = excluded.reason`,
  )

/** What could not be purged again and again, longest first. */
export async function refusedPurges(db: Runner) {
  const rows = await db.query(
    sql`select model, record_id as id, refusals, reason, tried_at as "triedAt", count(*) over () as total from ${purges}
      where refusals >= ${REFUSALS_TOLD} order by refusals desc, record_id limit ${NAMED_MAX}`,
  )
  return { count: Number(rows[0]?.['total'] ?? 0), records: rows }
}
