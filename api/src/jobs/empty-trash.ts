import type { Job } from './job.ts'

/** Deletes for good what has been in the trash for 30 days. What waits in the queue is the name of a model. */
export const emptyTrash: Job = {
  name: 'empty-trash',
  // The tables are asked once an hour; until then this costs no statement.
  pollMs: 60_000,
  retryLimit: 3,
  find: ({ trash }) => trash.due(),
  run: (path, { trash, logger }) => trash.empty(path, logger),
}
