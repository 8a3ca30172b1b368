import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#platform/db.ts'
import { isAppendOnly, storeOf } from '#platform/define-table.ts'
import type { Job } from './job.ts'

/** Rows per statement, well within the role's statement timeout. */
const BATCH = 1_000

/** Deletes rows whose declared retention period is over. The queue holds table names. */
export const expireRows: Job = {
  name: 'sweep',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ rowExpiry }) => rowExpiry.due(),
  run: (name, { rowExpiry }) => rowExpiry.expire(name),
}

/** `now`: the database clock; tests override it. */
export function buildRowExpiry(db: Db, tables: PgTable[], now: SQL = sql`now()`) {
  const expiring = tables.filter((table) => storeOf(table).expires !== null)
  return {
    due: async (): Promise<string[]> => {
      const rows = await db.query(
        sql<{ name: string }>`${sql.join(
          expiring.map(
            (table) =>
              sql`select ${getTableName(table)}::text as name where exists (select from ${table} where ${isExpired(table)})`,
          ),
          sql` union all `,
        )}`,
        'prepared',
      )
      return rows.map(({ name }) => name)
    },
    /** Skips locked rows; the next run deletes them. */
    expire: async (name: string) => {
      const table = expiring.find((one) => getTableName(one) === name)
      if (!table) return
      let expired = BATCH
      while (expired === BATCH) expired = (await db.query(statementFor(table), 'prepared')).length
    },
  }

  function isExpired(table: PgTable) {
    const { expires } = storeOf(table)
    if (!expires) return sql`false`
    const { column, term, reduce } = expires
    const isOver = sql`${sql.identifier(column)} < ${now} - ${sql.raw(`interval '${term}'`)}`
    return reduce ? sql`${isOver} and ${reduce.where}` : isOver
  }

  function statementFor(table: PgTable) {
    if (isAppendOnly(table))
      return sql`select from ${sql.identifier(`expire_${getTableName(table)}`)}(${BATCH})`
    const rows = sql`ctid = any(array(select ctid from ${table} where ${isExpired(table)} limit ${BATCH} for update skip locked))`
    const reduce = storeOf(table).expires?.reduce
    return reduce
      ? sql`update ${table} set ${reduce.set} where ${rows} returning 1`
      : sql`delete from ${table} where ${rows} returning 1`
  }
}
