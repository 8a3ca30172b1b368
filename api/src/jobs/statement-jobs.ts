import { sql } from 'drizzle-orm'
import type { Job, JobContext } from './job.ts'

type Statement = Pick<Job, 'name' | 'pollMs'> & { execute: (tools: JobContext) => Promise<unknown> }

/** Executed while looking for work: after queued work the worker looks again, and would never rest. */
const statementJob = ({ name, pollMs, execute }: Statement): Job => ({
  name,
  pollMs,
  retryLimit: 0,
  find: async (tools) => {
    await execute(tools)
    return []
  },
  run: async () => {},
})

/** Empties the pending lists of the search indexes, so that neither a search nor a writer meets a long one. */
export const flushSearchIndex = statementJob({
  name: 'clean-search',
  pollMs: 60_000,
  execute: ({ db }) => db.query(sql`select clean_search()`),
})

/** Brings the last contact of organisations up to date. Of several replicas all but the first find nothing to write. */
export const updateLastContacts = statementJob({
  name: 'update-last-contacts',
  pollMs: 600_000,
  execute: async (tools) => tools.updateLastContacts?.(),
})
