import type { Job } from './job.ts'

/** Gives tickets of older releases to the account of their contact. The queue holds ticket ids. */
export const assignClients: Job = {
  name: 'assign-clients',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ assigning }) => assigning?.due() ?? Promise.resolve([]),
  run: async (ticketId, { assigning }) => assigning?.assign(ticketId),
}
