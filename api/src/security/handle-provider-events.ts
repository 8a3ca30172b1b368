import { sql } from 'drizzle-orm'
import { subjectRefs } from '#engine/history/history-tables.ts'
import { securityEvents } from '#engine/security/security-event-tables.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Db } from '#platform/db.ts'
import type { Directory } from '#platform/identity/directory.ts'
import type { buildAlerts } from './alerts.ts'
import { endAtProvider } from './end-at-provider.ts'
import type { Enrolment, ProviderEventEffect } from './provider-events.ts'
import { buildUndo } from './undo-stale-actions.ts'

/** Lockout of an account that was locked twice within an hour. */
const LOCKOUT_MS = 300_000
const REENABLE_INTERVAL_MS = 60_000
/** Keycloak may list a new factor this long after its log event. */
const LISTING_DELAY_MS = 60_000

type Options = {
  db: Db
  directory: Directory
  alerts: ReturnType<typeof buildAlerts>
  syncAccount: (sub: string) => Promise<void> | undefined
}

/** Acts on log events, looking up what they omit. Idempotent: events may be handled twice. */
export function buildProviderEventHandler({ db, directory, alerts, syncAccount }: Options) {
  let reenableAt = 0
  const pending = new Set<Enrolment>()
  const { removeStaleEnrolment, endResumed } = buildUndo({
    db,
    directory,
    alerts,
  })

  return async (effects: ProviderEventEffect[]) => {
    const changed = new Map(
      effects.flatMap(({ changed: one }) => (one ? [[`${one.what} ${one.sub}`, one]] : [])),
    )
    for (const { sub, what, time } of changed.values())
      await (what === 'level' ? syncAccount(sub) : recordState(sub, time))
    for (const { ended } of effects) if (ended) await endAtProvider({ db, directory, ...ended })
    for (const { resumed } of effects) if (resumed) await endResumed(resumed)
    const locked = new Set(effects.flatMap(({ locked: one }) => (one ? [one.sub] : [])))
    for (const sub of locked) await handleLockout(sub)
    for (const { enrolled } of effects) if (enrolled) pending.add(enrolled)
    for (const enrolment of pending)
      if ((await removeStaleEnrolment(enrolment)) || Date.now() - enrolment.time > LISTING_DELAY_MS)
        pending.delete(enrolment)
    if (Date.now() >= reenableAt) await reenableAccounts()
  }

  /** Records that the account was enabled or disabled, unless that is its last recorded state. */
  async function recordState(sub: string, time: number) {
    const account = await directory.find(sub)
    if (!account || isLockedOut(account)) return
    if (!account.enabled) await endAtProvider({ db, directory, sub, spared: null, time })
    await db.transaction(async (tx) => {
      const [last] = await tx.query(
        sql<{
          kind: string
        }>`select kind from ${securityEvents} e join ${subjectRefs} r on r.ref = e.about_ref
          where r.sub = ${sub} and kind in ('account-disabled', 'account-enabled') order by e.at desc, e.id desc limit 1`,
      )
      const isKnownDisabled = last?.kind === 'account-disabled'
      if (account.enabled === !isKnownDisabled) return
      const kind = account.enabled ? 'account-enabled' : 'account-disabled'
      await recordSecurityEvents(tx, [{ kind, about: { sub } }])
    })
  }

  /** The password is compromised, since codes were guessed after it: deletes it; its owner chooses a new one by mail. */
  async function handleLockout(sub: string) {
    const account = await directory.find(sub)
    if (!account || !isLockedOut(account)) return
    await directory.forgetPassword(sub)
    await directory.signOut(sub)
    await db.transaction((tx) => alerts.alertPasswordKnown(tx, sub))
    if ((await locksOf(sub)) < 2) await reenable(sub)
  }

  async function reenable(sub: string) {
    await directory.setEnabled(sub, true)
    await recordSecurityEvents(db, [{ kind: 'account-enabled', about: { sub } }])
  }

  async function locksOf(sub: string) {
    const rows = await db.query(
      sql`select from ${securityEvents} e join ${subjectRefs} r on r.ref = e.about_ref
        where r.sub = ${sub} and kind = 'locked-out' and at > now() - interval '1 hour'`,
    )
    return rows.length
  }

  /** Re-enables accounts locked twice, once their lockout is over; reads events, so a restart loses nothing. */
  async function reenableAccounts() {
    reenableAt = Date.now() + REENABLE_INTERVAL_MS
    const rows = await db.query(
      sql<{
        sub: string
      }>`select r.sub from ${securityEvents} e join ${subjectRefs} r on r.ref = e.about_ref
        where at > now() - interval '1 day' and kind in ('locked-out', 'account-enabled')
        group by r.sub having max(at) filter (where kind = 'locked-out') > coalesce(
          max(at) filter (where kind = 'account-enabled'), '-infinity')
          and max(at) < now() - interval '1 millisecond' * ${LOCKOUT_MS}`,
    )
    for (const { sub } of rows) {
      const account = await directory.find(sub)
      if (account && isLockedOut(account)) await reenable(sub)
    }
  }
}

/** Disabled by Keycloak's brute-force detection, not by staff. */
const isLockedOut = ({
  enabled,
  attributes,
}: NonNullable<Awaited<ReturnType<Directory['find']>>>) =>
  !enabled && attributes?.['disabledReason']?.[0] === 'permanentLockout'
