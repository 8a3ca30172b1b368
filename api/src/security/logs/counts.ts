import type { SecurityEventKind } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { historyChecks } from '#engine/history/history-tables.ts'
import type { Engine } from '#engine/engine.ts'
import { securityEventCounts } from '#engine/security/security-event-tables.ts'

const DAYS = 7
const HOUR_MS = 3_600_000
/** A rise is this many times the median hour, and at least `RISE_LEAST`. */
const RISE_TIMES = 4
const RISE_LEAST = 20

type Hour = { hour: string; count: number; isRise: boolean }
type Check = { at: string; revisions: number; auditRows: number; mismatches: number }

/** Events per hour of the last seven days, including empty hours, and last night's history check. */
export async function countEvents({ db }: Engine, kind: SecurityEventKind | null) {
  const rows = await db.query(
    sql<{
      hour: string
      count: number
    }>`select hour, sum(count) as count from ${securityEventCounts}
      where hour > now() - interval '${sql.raw(String(DAYS))} days' ${kind === null ? sql`` : sql`and kind = ${kind}`}
      group by hour`,
  )
  const [history] = await db.query(
    sql<Check>`select at, revisions, audit_rows as "auditRows", mismatches from ${historyChecks} order by day desc limit 1`,
  )
  return { hours: withRises(everyHour(rows)), history: history ?? null }
}

function everyHour(rows: { hour: string; count: number }[]) {
  const known = new Map(rows.map(({ hour, count }) => [Date.parse(hour), count]))
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Array.from({ length: DAYS * 24 }, (_, place) => {
    const hour = last - (DAYS * 24 - 1 - place) * HOUR_MS
    return { hour: new Date(hour).toISOString(), count: known.get(hour) ?? 0 }
  })
}

/** Compares with the median of the non-empty hours, which is robust against one bad night. */
export function withRises(hours: Omit<Hour, 'isRise'>[]): Hour[] {
  const busy = hours.map(({ count }) => count).filter((count) => count > 0)
  const usual = busy.toSorted((a, b) => a - b)[Math.floor(busy.length / 2)] ?? 0
  return hours.map((one) => ({
    ...one,
    isRise: one.count >= RISE_LEAST && one.count >= RISE_TIMES * usual,
  }))
}
