import { sql } from 'drizzle-orm'
import type { Job } from './job.ts'

/**
 * Empties the pending lists of the search indexes, so that neither a search nor a writer meets a long one. Done while looking
 * for work: after queued work the worker looks again, and would never rest.
 */
export const cleanSearch: Job = {
  name: 'clean-search',
  pollMs: 60_000,
  retryLimit: 0,
  find: async ({ db }) => {
    await db.query(sql`select clean_search()`)
    return []
  },
  run: async () => {},
}
