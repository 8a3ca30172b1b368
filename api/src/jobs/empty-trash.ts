import type { Job } from './index.ts'

/** Deletes for good what has been in the trash for 30 days. What waits in the queue is the name of a model. */
export const emptyTrash: Job = {
  name: 'empty-trash',
  find: ({ trash }) => trash.due(),
  run: (path, { trash, logger }) => trash.empty(path, logger),
}
