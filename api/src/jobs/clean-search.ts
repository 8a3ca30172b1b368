import { sql } from 'drizzle-orm'
import type { Job } from './job.ts'

/** Empties the pending lists of the search indexes, so that neither a search nor a writer meets a long one. */
export const cleanSearch: Job = {
  name: 'clean-search',
  pollMs: 60_000,
  retryLimit: 0,
  find: async () => ['search'],
  run: async (_, { db }) => {
    await db.query(sql`select clean_search()`)
  },
}
