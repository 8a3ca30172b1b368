import type { Job } from './job.ts'

/** Alerts owners, and users whose account is attacked. The queue holds alert kinds and references. */
export const securityAlerts: Job = {
  name: 'security-alerts',
  pollMs: 15_000,
  retryLimit: 3,
  find: ({ alerts }) => alerts?.due() ?? Promise.resolve([]),
  run: async (subject, { alerts }) => alerts?.sendAlert(subject),
}
