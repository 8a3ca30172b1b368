import { sql } from 'drizzle-orm'
import type { Db, Runner } from '#platform/db.ts'

type JobCount = { name: string; waiting: number; failed: number }

/** Includes empty queues, so that a missing metric means a problem. For /metrics and /api/system. */
export function jobCounts(db: Db) {
  return db.query(sql<JobCount>`select queue.name,
      count(*) filter (where job.state in ('created', 'retry')) as waiting,
      count(*) filter (where job.state = 'failed') as failed
    from pgboss.queue left join pgboss.job on job.name = queue.name
    where queue.name not like '\\_\\_%' group by queue.name order by queue.name`)
}

type UnfinishedQueue = { name: string; isActive: boolean; startsInMs: number | null }

/** Queues with unfinished jobs of any worker: whether one is running, and when the next can start. */
export function unfinished(db: Runner) {
  return db.query(
    sql<UnfinishedQueue>`select name, bool_or(state = 'active') as "isActive",
        extract(epoch from min(start_after) filter (where state < 'active') - now()) * 1000 as "startsInMs"
      from pgboss.job where ${IS_UNFINISHED} group by name`,
    'prepared',
  )
}

export const queuedKeys = (name: string) =>
  sql`select singleton_key from pgboss.job where name = ${name} and ${IS_UNFINISHED}`

export const unqueue = (tx: Runner, name: string, keys: string[]) =>
  tx.query(
    sql`delete from pgboss.job where name = ${name} and singleton_key = any(${sql.param(keys)}) and state < 'active'`,
    'prepared',
  )

/** Matches the predicate of pg-boss's unique index on singleton keys, so that the index is used. */
const IS_UNFINISHED = sql.raw(`state <= 'active' and policy = 'exclusive'`)
