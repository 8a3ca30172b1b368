import { sql } from 'drizzle-orm'
import { writeAct } from '#engine/history/trace.ts'
import type { Job } from './job.ts'

const DAY_MS = 24 * 3_600_000
/** Older accounts were made when nobody had to confirm an address: they stay. */
const SINCE = '0023-staff.sql'

/**
 * Removes accounts at the identity provider whose address nobody confirmed for a day and that nobody could sign in with: they
 * keep the address from its owner. The queue holds their ids.
 */
export const expireAccounts: Job = {
  name: 'expire-accounts',
  pollMs: 3_600_000,
  retryLimit: 3,
  async find({ db, directory }) {
    if (!directory) return []
    const [first] = await db.query(
      sql<{ at: string }>`select applied_at as at from migrations where name = ${SINCE}`,
    )
    if (!first) return []
    return directory.unconfirmed({ after: Date.parse(first.at), before: Date.now() - DAY_MS })
  },
  async run(id, { db, directory }) {
    if (!directory || (await directory.isUsable(id))) return
    await directory.remove(id)
    await writeAct(db, {
      action: 'expire',
      entity: 'accounts',
      entityId: id,
      actor: { ref: null, kind: 'system' },
      requestId: crypto.randomUUID(),
    })
  },
}
