import { needsName } from '#platform/identity/directory.ts'
import type { Job } from './job.ts'

/** Lifetime of the link in the confirmation mail. */
const CONFIRMED_WITHIN_MS = 900_000

/**
 * Accounts unconfirmed after the link expired may have been registered with another person's address: they must update their
 * name at the next sign-in, by link or by reset. The queue holds account IDs of the identity provider.
 */
export const requireNameUpdate: Job = {
  name: 'ask-names',
  pollMs: CONFIRMED_WITHIN_MS,
  retryLimit: 3,
  async find({ directory }) {
    if (!directory) return []
    const begun = await directory.begunAt()
    const before = Date.now() - CONFIRMED_WITHIN_MS
    const ids: string[] = []
    for await (const account of directory.unconfirmed())
      if (
        account.createdTimestamp > begun &&
        account.createdTimestamp < before &&
        needsName(account)
      )
        ids.push(account.id)
    return ids
  },
  run: async (id, { directory }) => directory?.askName(id),
}
