import type { Job } from './job.ts'

/** Notes who has become staff at the identity provider, or is no longer. The queue holds the ids of their accounts there. */
export const syncStaff: Job = {
  name: 'find-staff',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ staffSync }) => staffSync?.due() ?? Promise.resolve([]),
  run: async (sub, { staffSync }) => staffSync?.syncAccount(sub),
}
