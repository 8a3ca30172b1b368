import type { Job } from './job.ts'
import { statementJob } from './statement-jobs.ts'

const EACH_HOUR = 'hour'

/** Deletes files that nobody attached, and those that left their record long ago. */
export const sweepFiles: Job = {
  name: 'sweep-files',
  pollMs: 3_600_000,
  retryLimit: 3,
  find: async (tools) => (tools.files ? [EACH_HOUR] : []),
  run: async (_id, tools) => tools.files?.sweep(),
}

/** Asks the virus scanner again about files without a verdict. */
export const recheckFiles: Job = {
  name: 'recheck-files',
  pollMs: 60_000,
  retryLimit: 0,
  find: async (tools) => tools.files?.recheck.due() ?? [],
  run: async (id, tools) => tools.files?.recheck.check(id),
}

/** Deletes bytes that no row names. Reads the whole store, so it runs outside the queue, which limits a job to five minutes. */
export const sweepStrayFiles = statementJob({
  name: 'sweep-stray-files',
  pollMs: 86_400_000,
  execute: async (tools) => tools.files?.sweepStrays(),
})
