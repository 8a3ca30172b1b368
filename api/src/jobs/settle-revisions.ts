import type { Job } from './job.ts'

/** Backfills ownership of revisions of older releases. The queue holds model paths. */
export const settleRevisions: Job = {
  name: 'settle-revisions',
  pollMs: 60_000,
  retryLimit: 3,
  find: ({ settling }) => settling.due(),
  run: (path, { settling }) => settling.settle(path),
}
