import type { Job } from './job.ts'

/** Checks nightly for changes without an audit row and audit rows without a change. The queue holds days. */
export const compareHistory: Job = {
  name: 'compare-history',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ historyCheck }) => historyCheck.due(),
  run: (day, { historyCheck }) => historyCheck.check(day),
}
