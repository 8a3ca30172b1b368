import type { Job } from './job.ts'

/** Warns owners, and people whose account is attacked. The queue holds kinds of alerts and references. */
export const securityAlerts: Job = {
  name: 'security-alerts',
  pollMs: 15_000,
  retryLimit: 3,
  find: ({ alerts }) => alerts?.due() ?? Promise.resolve([]),
  run: async (subject, { alerts }) => alerts?.sendAlert(subject),
}
