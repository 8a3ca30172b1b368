import { sql } from 'drizzle-orm'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Db } from '#platform/db.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { sessionsKnown } from '#platform/identity/end-sessions.ts'
import { revokeSessions } from '#platform/identity/revoke.ts'
import { revocations } from '#platform/identity/revocation-tables.ts'
import type { buildAlerts } from './alerts.ts'
import { factorOf, type Enrolment, type SignIn } from './provider-events.ts'
import { isOver, findStaleEnrolment } from './stale-enrolments.ts'

type Options = { db: Db; directory: Directory; alerts: ReturnType<typeof buildAlerts> }

/** Undoes what a page of the provider's did that was left open while its session was ended. All of it may run twice. */
export function buildUndo({ db, directory, alerts }: Options) {
  return {
    /** False: the provider doesn't show the credential yet, look again. */
    removeStaleEnrolment: async (enrolment: Enrolment) => {
      const { sub } = enrolment
      const [log, credentials, endedAt] = await Promise.all([
        directory.log.of(sub),
        directory.credentialsOf(sub),
        endOf(enrolment),
      ])
      const parked = findStaleEnrolment(enrolment, { log, credentials, endedAt })
      if (parked === null) return false
      if (parked.length === 0) return true
      for (const { id } of parked) await directory.forgetCredential(sub, id)
      await directory.cancelSetUp(sub)
      await endAll(enrolment)
      return true
    },

    /** A session that a page left open has brought back. */
    endResumed: async (resumed: SignIn) => {
      const { sub, signIn } = resumed
      const endedAt = await endOf(resumed)
      if (signIn === undefined || endedAt === null) return
      if (isOver(resumed, { log: await directory.log.of(sub), endedAt }))
        await directory.endSession(signIn)
    },
  }

  /** When this sign-in was last ended, before it did something. */
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
    const sids = await sessionsKnown(directory, sub)
    await directory.signOut(sub)
    await db.transaction(async (tx) => {
      await revokeSessions(tx, { sub, sids })
      if (!isPassword)
        await recordSecurityEvents(tx, [
          { kind: 'factor-removed', outcome: factorOf(type), about: { sub } },
        ])
      await (isPassword ? alerts.tellPasswordParked(tx, sub) : alerts.tellParked(tx, sub))
    })
  }
}
