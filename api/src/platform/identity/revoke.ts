import { sql } from 'drizzle-orm'
import { newId } from '#platform/uuid.ts'
import type { Runner } from '#platform/db.ts'
import { revocations, sessionsSeen } from './revocation-tables.ts'

/** Whose tokens no longer count: an account's or a session's. */
export type Revoked = { sub: string } | { sid: string; sub?: string }

/** Where PostgreSQL tells the replicas. */
export const REVOCATIONS_CHANNEL = 'gatehouse_revocations'

/**
 * Ends tokens issued up to now in every replica, within a second of the commit. Anyone who may still sign in renews silently,
 * and gets a token that says what they are now. A session that is named doesn't come back.
 */
export async function revoke(tx: Runner, whose: Revoked, notBefore = new Date()) {
  const { sub = null, sid = null } = whose as { sub?: string; sid?: string }
  await tx.query(
    sql`with revoked as (insert into ${revocations} (id, sub, sid, not_before)
        values (${newId()}, ${sub}, ${sid}, ${notBefore.toISOString()}) returning id)
      select pg_notify(${REVOCATIONS_CHANNEL}, '') from revoked`,
    'prepared',
  )
}

export type EndedSessions = {
  /** Null: everyone's. */
  sub: string | null
  /** Those the provider knows; those that came here are found. */
  sids?: string[]
  /** The session in which the person did it themselves. */
  spared?: string | null
  until?: Date
}

/**
 * Ends every sign-in begun up to now, also one that has no session yet, and a page of the provider that was left open. They
 * must be ended at the provider too: otherwise it goes on giving tokens that are refused here.
 */
export async function revokeSessions(
  tx: Runner,
  { sub, sids = [], spared = null, until = new Date() }: EndedSessions,
) {
  const at = until.toISOString()
  await tx.query(
    sql`with seen as (delete from ${sessionsSeen}
        where sub = ${sub} and sid is distinct from ${spared} and begun_at <= ${at} returning sid),
      ended as (select sid from seen union select unnest(${sql.param(sids)}::text[])),
      revoked as (insert into ${revocations} (id, sub, sid, not_before, ends_sessions, spared_sid)
        select gen_random_uuid(), ${sub}::text, sid, ${at}::timestamptz, true, null
          from ended where sid is distinct from ${spared}
        union all select ${newId()}::uuid, ${sub}::text, null, ${at}::timestamptz, true, ${spared}::text
        returning id)
      select pg_notify(${REVOCATIONS_CHANNEL}, '') from revoked`,
    'prepared',
  )
}
