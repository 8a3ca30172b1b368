import { sql } from 'drizzle-orm'
import type { IdRow } from '#platform/db.ts'
import { listViews } from '#engine/http/tables.ts'
import type { Job } from './job.ts'

/** Deletes list preferences unused for as long as the notice says. */
export const forgetViews: Job = {
  name: 'forget-views',
  pollMs: 3_600_000,
  retryLimit: 3,
  find: async ({ db }) => {
    const rows = await db.query(
      sql<IdRow>`select id from ${listViews} where used_on < current_date - interval '12 months' limit 1000`,
      'prepared',
    )
    return rows.map(({ id }) => id)
  },
  run: async (id, { db }) => {
    await db.query(sql`delete from ${listViews} where id = ${id}`, 'prepared')
  },
}
