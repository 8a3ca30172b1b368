import { sql } from 'drizzle-orm'
import type { Runner } from './db.ts'
import { overloaded, tooManyRequests } from './errors.ts'
import { writeCounts } from './table.ts'

/** People first; what can wait (exact counts, exports) gets a quarter of the room. */
export type Priority = 'person' | 'background'

const QUEUE_MS = 250
const BACKGROUND_SHARE = 4

/** How many requests are worked on at once. One too many waits a moment, then is told to come back. */
export function buildGate(maximum: number) {
  const room = { person: maximum, background: Math.max(1, Math.floor(maximum / BACKGROUND_SHARE)) }
  const waiting: Record<Priority, (() => void)[]> = { person: [], background: [] }
  let inside = 0

  const leave = () => {
    inside--
    const next = (['person', 'background'] as const).find(
      (priority) => waiting[priority].length > 0 && inside < room[priority],
    )
    if (next) waiting[next].shift()?.()
  }

  /** Resolves to the function that gives the place back; rejects when no place comes free in time. */
  return function enter(priority: Priority): Promise<() => void> {
    const queue = waiting[priority]
    if (inside < room[priority]) {
      inside++
      return Promise.resolve(leave)
    }
    if (queue.length >= maximum) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(proceed), 1)
        reject(overloaded())
      }, QUEUE_MS)
      const proceed = () => {
        clearTimeout(timer)
        inside++
        resolve(leave)
      }
      queue.push(proceed)
    })
  }
}

/** Counts a caller's writes in the database, so that ten replicas together allow what one would. */
export async function countWrite(db: Runner, caller: string, perMinute: number) {
  const [row] = await db.query(
    sql`with swept as (
      delete from ${writeCounts} where minute < now() - interval '5 minutes' and ctid in (
        select ctid from ${writeCounts} where minute < now() - interval '5 minutes' limit 20 for update skip locked)
    )
    insert into ${writeCounts} as counted (caller, minute, count) values (${caller}, date_trunc('minute', now()), 1)
    on conflict (caller, minute) do update set count = counted.count + 1
    returning count, 60 - extract(second from now())::int as seconds`,
    'prepared',
  )
  if (Number(row?.['count']) > perMinute)
    throw tooManyRequests(Math.max(1, Number(row?.['seconds'])))
}
