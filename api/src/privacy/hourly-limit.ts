import { sql } from 'drizzle-orm'
import { onlyRow, type Runner } from '#platform/db.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { networkOf } from '#platform/admission-control/client-network.ts'
import { hourlyCounts, hourlySalts } from './privacy-tables.ts'

/** Limits each network across replicas. Stores only its hash, with an hourly salt that is deleted afterwards. */
export async function countHourly(
  db: Runner,
  { what, address, max }: { what: string; address: string; max: number },
) {
  const rows = await db.query(
    sql<{ count: number; seconds: number }>`with salted as (
      insert into ${hourlySalts} as kept (hour, salt) values (date_trunc('hour', now()), gen_random_uuid())
      on conflict (hour) do update set salt = kept.salt returning salt
    )
    insert into ${hourlyCounts} as counted (hour, caller, count)
    select date_trunc('hour', now()), encode(sha256(convert_to(concat_ws(' ', salt, ${what}::text, ${networkOf(address)}::text), 'UTF8')), 'hex'), 1
    from salted
    on conflict (hour, caller) do update set count = counted.count + 1
    returning count, 3600 - extract(epoch from now() - date_trunc('hour', now()))::int as seconds`,
    'prepared',
  )
  const { count, seconds } = onlyRow(rows)
  if (count > max) throw tooManyRequests(Math.max(1, seconds))
}
