import { sql } from 'drizzle-orm'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Db } from '#platform/db.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { findSessions } from '#platform/identity/end-sessions.ts'
import { revokeSessions } from '#platform/identity/revoke.ts'
import { revocations } from '#platform/identity/revocation-tables.ts'
import type { buildAlerts } from './alerts.ts'
import { factorOf, type Enrolment, type SignIn } from './provider-events.ts'
import { isOver, findStaleEnrolment } from './stale-enrolments.ts'

type Options = { db: Db; directory: Directory; alerts: ReturnType<typeof buildAlerts> }

/** Undoes changes from a provider page left open after its session ended. Idempotent: may run twice. */
export function buildUndo({ db, directory, alerts }: Options) {
  return {
    /** False while the provider doesn't list the credential yet. */
    removeStaleEnrolment: async (enrolment: Enrolment) => {
      const { sub } = enrolment
      const [log, credentials, endedAt] = await Promise.all([
        directory.log.of(sub),
        directory.credentialsOf(sub),
        endOf(enrolment),
      ])
      const stale = findStaleEnrolment(enrolment, { log, credentials, endedAt })
      if (stale === null) return false
      if (stale.length === 0) return true
      for (const { id } of stale) await directory.forgetCredential(sub, id)
      await directory.cancelSetUp(sub)
      await endAll(enrolment)
      return true
    },

    endResumed: async (resumed: SignIn) => {
      const { sub, signIn } = resumed
      const endedAt = await endOf(resumed)
      if (signIn === undefined || endedAt === null) return
      if (isOver(resumed, { log: await directory.log.of(sub), endedAt }))
        await directory.endSession(signIn)
    },
  }

  /** When this session was last ended before `time`. */
  async function endOf({ sub, signIn = '', time }: SignIn) {
    const [row] = await db.query(
      sql<{ at: string | null }>`select max(not_before) as at from ${revocations}
        where not_before < ${new Date(time).toISOString()} and case when sid is null
          then ends_sessions and coalesce(sub, ${sub}) = ${sub} and spared_sid is distinct from ${signIn}
          else sid = ${signIn} end`,
    )
    return row?.at ? Date.parse(row.at) : null
  }

  async function endAll({ sub, type }: Enrolment) {
    const isPassword = type === 'password'
    const sids = await findSessions(directory, sub)
    await directory.signOut(sub)
    await db.transaction(async (tx) => {
      await revokeSessions(tx, { sub, sids })
      if (!isPassword)
        await recordSecurityEvents(tx, [
          { kind: 'factor-removed', outcome: factorOf(type), about: { sub } },
        ])
      await (isPassword ? alerts.alertStalePassword(tx, sub) : alerts.alertStaleFactor(tx, sub))
    })
  }
}
