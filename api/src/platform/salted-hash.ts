import { sql } from 'drizzle-orm'
import type { Runner } from './db.ts'
import { dailySalts } from './platform-tables.ts'

/** In UTC, the same for every replica. */
const TODAY = sql.raw(`(now() at time zone 'UTC')::date`)

/** A statement of its own: only the next one sees the row it inserted or waited for. */
const addSaltOfToday = (db: Runner) =>
  db.query(
    sql`insert into ${dailySalts} (day, salt) values (${TODAY}, gen_random_uuid()) on conflict do nothing`,
    'prepared',
  )

/** SQL: a hash that cannot be recomputed once its salt is deleted. */
const hashOf = (counted: string) =>
  sql`encode(sha256(convert_to(concat_ws(' ', salt, ${counted}::text), 'UTF8')), 'hex')`

/** The same text has the same hash until midnight UTC. */
export async function saltedHash(db: Runner, text: string): Promise<string> {
  const read = () =>
    db.query(
      sql<{ hash: string }>`select ${hashOf(text)} as hash from ${dailySalts} where day = ${TODAY}`,
      'prepared',
    )
  let [row] = await read()
  if (!row) {
    await addSaltOfToday(db)
    ;[row] = await read()
  }
  return row?.hash ?? ''
}
