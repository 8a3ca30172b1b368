import type { Job } from './job.ts'

/** Works out whose records were when older releases changed them. What waits in the queue is the name of a model. */
export const settleRevisions: Job = {
  name: 'settle-revisions',
  pollMs: 60_000,
  retryLimit: 3,
  find: ({ settling }) => settling.due(),
  run: (path, { settling }) => settling.settle(path),
}
