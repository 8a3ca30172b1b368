import { needsName } from '#platform/identity/directory.ts'
import type { Job } from './job.ts'

/** As long as the link in the mail works. */
const CONFIRMED_WITHIN_MS = 900_000

/**
 * An address that isn't confirmed soon may have been registered by someone else: who gets in later, by the link or by a
 * reset, is asked for the name. The queue holds ids of accounts at the identity provider.
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
