import { sql } from 'drizzle-orm'
import { one, type Runner } from '#platform/db.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { saltedHash } from '#platform/salts.ts'
import { writeCounts } from '#platform/tables.ts'
import { networkOf } from '#platform/load/network.ts'

const MINUTE_MS = 60_000

/** Fixed-window request counter per caller and minute, in this process only. */
export function buildRequestCounter(perMinute: number) {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    count(caller: string) {
      const current = Math.floor(Date.now() / MINUTE_MS)
      if (current !== minute) counts = new Map()
      minute = current
      const count = (counts.get(caller) ?? 0) + 1
      counts.set(caller, count)
      if (count <= perMinute) return
      throw tooManyRequests(Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1_000))
    },
  }
}

/** Who writes are counted for: the account's reference, else a salted hash of the network. */
export const countedAs = async (db: Runner, ref: string | null, address: string) =>
  ref ?? (await saltedHash(db, networkOf(address)))

/** Counts writes in the database, so that the limit holds across replicas. */
export async function countWrite(db: Runner, caller: string, perMinute: number) {
  const rows = await db.query(
    sql<{
      count: number
      seconds: number
    }>`insert into ${writeCounts} as counted (caller, minute, count) values (${caller}, date_trunc('minute', now()), 1)
    on conflict (caller, minute) do update set count = counted.count + 1
    returning count, 60 - extract(second from now())::int as seconds`,
    'prepared',
  )
  const { count, seconds } = one(rows)
  if (count > perMinute) throw tooManyRequests(Math.max(1, seconds))
}
