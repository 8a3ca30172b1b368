import { sql } from 'drizzle-orm'
import { writeAuditEvent } from '#engine/history/audit-trail.ts'
import type { Account } from '#platform/identity/directory.ts'
import type { Job, JobContext } from './job.ts'

const HOUR_MS = 3_600_000
const UNCONFIRMED_MS = 24 * HOUR_MS
/** Invitation links are valid for 72 hours (tools/realm/settings.ts), plus an hour to complete the sign-up. */
const INVITED_MS = 73 * HOUR_MS

/**
 * Removes accounts at the identity provider that never signed in here and did not confirm their address within a day (invited
 * staff: 73 hours), because they block the address for its owner. Accounts created before confirmation was required are kept.
 * The queue holds account IDs.
 */
export const expireAccounts: Job = {
  name: 'expire-accounts',
  pollMs: HOUR_MS,
  retryLimit: 3,
  async find(tools) {
    const { directory } = tools
    if (!directory) return []
    const ids: string[] = []
    for await (const account of directory.unconfirmed())
      if (await isExpired(account, tools)) ids.push(account.id)
    return ids
  },
  async run(id, tools) {
    const { db, directory } = tools
    const account = await directory?.find(id)
    if (!directory || !account || account.emailVerified || !(await isExpired(account, tools)))
      return
    await directory.remove(id)
    await writeAuditEvent(db, {
      action: 'expire',
      entity: 'accounts',
      entityId: id,
      actor: { ref: null, kind: 'system' },
      requestId: crypto.randomUUID(),
    })
  },
}

async function isExpired(
  { id, email, createdTimestamp: at }: Account,
  { db, directory }: JobContext,
) {
  const begun = (await directory?.begunAt()) ?? Number.POSITIVE_INFINITY
  if (!email || at < begun || at > Date.now() - UNCONFIRMED_MS) return false
  const [row] = await db.query(
    sql<{ isUsed: boolean | null; isStaff: boolean | null }>`
      select bool_or(last_seen_on is not null) as "isUsed",
        bool_or(staff <> 'none' and deleted_at is null) as "isStaff"
      from accounts where sub = ${id}`,
  )
  return !row?.isUsed && at <= Date.now() - (row?.isStaff ? INVITED_MS : UNCONFIRMED_MS)
}
