import type { Job } from './job.ts'

/** Records accounts that joined or left staff at the identity provider. The queue holds their account IDs there. */
export const syncStaff: Job = {
  name: 'find-staff',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ staffSync }) => staffSync?.due() ?? Promise.resolve([]),
  run: async (sub, { staffSync }) => staffSync?.syncAccount(sub),
}
