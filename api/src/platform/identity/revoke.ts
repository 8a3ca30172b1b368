import { sql } from 'drizzle-orm'
import { newId } from '#platform/uuid.ts'
import type { Runner } from '#platform/db.ts'
import { revocations, sessionsSeen } from './revocation-tables.ts'

export type Revoked = { sub: string } | { sid: string; sub?: string }

export const REVOCATIONS_CHANNEL = 'gatehouse_revocations'

/**
 * Revokes tokens issued until now on every replica, within a second of the commit. Clients that may still sign in renew
 * silently and get a token with their current rights. A revoked session cannot be renewed.
 */
export async function revoke(tx: Runner, target: Revoked, notBefore = new Date()) {
  const { sub = null, sid = null } = target as { sub?: string; sid?: string }
  await tx.query(
    sql`with revoked as (insert into ${revocations} (id, sub, sid, not_before)
        values (${newId()}, ${sub}, ${sid}, ${notBefore.toISOString()}) returning id)
      select pg_notify(${REVOCATIONS_CHANNEL}, '') from revoked`,
    'prepared',
  )
}

export type EndedSessions = {
  /** Null: all accounts. */
  sub: string | null
  /** Sessions known to the provider; those seen here are added. */
  sids?: string[]
  /** The session that sent this request; it continues. */
  spared?: string | null
  until?: Date
}

/**
 * Ends every sign-in begun until now, including one without a session yet and a provider page left open. End them at the
 * provider too; otherwise it keeps issuing tokens that are rejected here.
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
