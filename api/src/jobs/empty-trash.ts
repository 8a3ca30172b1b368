import type { Job } from './job.ts'

/** Permanently deletes records after 30 days in the trash. The queue holds model paths. */
export const emptyTrash: Job = {
  name: 'empty-trash',
  // Queries the tables once an hour; polls in between send no statement.
  pollMs: 60_000,
  retryLimit: 3,
  find: ({ trash }) => trash.due(),
  run: (path, { trash, logger }) => trash.empty(path, logger),
}
