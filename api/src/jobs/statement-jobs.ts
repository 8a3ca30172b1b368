import { sql } from 'drizzle-orm'
import type { Job, JobContext } from './job.ts'

type Statement = Pick<Job, 'name' | 'pollMs'> & { execute: (tools: JobContext) => Promise<unknown> }

/** Runs in `find` and queues nothing: after a queued job the worker polls again, and would never be idle. */
export const statementJob = ({ name, pollMs, execute }: Statement): Job => ({
  name,
  pollMs,
  retryLimit: 0,
  find: async (tools) => {
    await execute(tools)
    return []
  },
  run: async () => {},
})

/** Flushes the pending lists of the search indexes: long ones slow down searches and writes. */
export const flushSearchIndex = statementJob({
  name: 'clean-search',
  pollMs: 60_000,
  execute: ({ db }) => db.query(sql`select clean_search()`),
})

/** With several replicas only the first finds rows to write. */
export const updateLastContacts = statementJob({
  name: 'update-last-contacts',
  pollMs: 600_000,
  execute: async (tools) => tools.updateLastContacts?.(),
})
