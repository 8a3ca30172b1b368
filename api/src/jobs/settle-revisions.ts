import type { Job } from './index.ts'

/** Works out whose records were when older releases changed them. What waits in the queue is the name of a model. */
export const settleRevisions: Job = {
  name: 'settle-revisions',
  find: ({ settling }) => settling.due(),
  run: (path, { settling }) => settling.settle(path),
}
