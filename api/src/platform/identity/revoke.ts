import { sql } from 'drizzle-orm'
import { newId } from '#platform/new-id.ts'
import type { Runner } from '#platform/db.ts'
import { revocations } from './tables.ts'

/** Whose tokens no longer count: an account's, a session's, or everyone's. */
export type Revoked = { sub: string } | { sid: string } | 'everyone'

/** Where PostgreSQL tells the replicas. */
export const REVOCATIONS_CHANNEL = 'gatehouse_revocations'

/**
 * Ends tokens issued up to now in every replica, within a second of the commit. Anyone who may still sign in renews silently,
 * and gets a token that says what they are now.
 */
export async function revoke(tx: Runner, whose: Revoked, notBefore = new Date()) {
  const { sub = null, sid = null } =
    whose === 'everyone' ? {} : (whose as { sub?: string; sid?: string })
  await tx.query(
    sql`with revoked as (insert into ${revocations} (id, sub, sid, not_before)
        values (${newId()}, ${sub}, ${sid}, ${notBefore.toISOString()}) returning id)
      select pg_notify(${REVOCATIONS_CHANNEL}, '') from revoked`,
    'prepared',
  )
}
