import type { Job } from './job.ts'

/** Backfills ownership of revisions of older releases. The queue holds model paths. */
export const backfillRevisions: Job = {
  name: 'settle-revisions',
  pollMs: 60_000,
  retryLimit: 3,
  find: ({ ownershipBackfill }) => ownershipBackfill.due(),
  run: (path, { ownershipBackfill }) => ownershipBackfill.backfill(path),
}

/** Assigns tickets of older releases to their contact's account. The queue holds ticket IDs. */
export const assignClients: Job = {
  name: 'assign-clients',
  pollMs: 600_000,
  retryLimit: 3,
  find: ({ assigning }) => assigning?.due() ?? Promise.resolve([]),
  run: async (ticketId, { assigning }) => assigning?.assign(ticketId),
}
