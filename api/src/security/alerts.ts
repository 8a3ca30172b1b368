import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { subjectRefs } from '#engine/history/history-tables.ts'
import { actorOf } from '#engine/history/audit-trail.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { securityEvents } from '#engine/security/security-event-tables.ts'
import type { Runner } from '#platform/db.ts'
import { addMail } from '#platform/mail/outbox.ts'
import type { AlertKind, PersonalKind } from './mails.ts'
import { securityMails } from './alert-tables.ts'

const FAILURES_OF_STAFF = 10
/** Far more attempts than an owner with a forgotten code would make. */
const GUESSES = 150
const GUESSED_AT = 'guessed-at'
const HOUR = sql.raw(`interval '1 hour'`)

/** Events of the last hour that trigger each alert. */
const ALERTS: Record<AlertKind, { kinds: string[]; isOfStaff?: true; atLeast?: number }> = {
  'admin-granted': { kinds: ['role-granted'] },
  'admin-factor': { kinds: ['factor-removed', 'recovery-code-used'], isOfStaff: true },
  'admin-failures': { kinds: ['sign-in-failed'], isOfStaff: true, atLeast: FAILURES_OF_STAFF },
  exported: { kinds: ['exported'] },
  'history-mismatch': { kinds: ['history-mismatch'] },
}

/** Mails owners and attacked accounts, at most once an hour per kind and account. */
export function buildAlerts(engine: Engine) {
  const accounts = tableOf(engine, modelOf(engine, 'accounts'))

  return {
    due: async () => {
      const rows = await engine.db.query(
        sql<{ subject: string }>`${sql.join(
          [
            ...Object.entries(ALERTS).map(
              ([kind, { kinds, isOfStaff, atLeast = 1 }]) =>
                sql`select ${kind} as subject where exists (select from ${eventsOf(kinds, sql`${kind}`)}
                  ${isOfStaff ? sql`and ${isStaff(accounts)}` : sql``}
                  group by about_ref having count(*) >= ${atLeast})`,
            ),
            sql`select ${GUESSED_AT} || ' ' || about_ref from ${eventsOf(['sign-in-failed'], sql`${GUESSED_AT} || ' ' || e.about_ref`)}
              and outcome = 'proof' group by about_ref having count(*) >= ${GUESSES}`,
          ],
          sql` union all `,
        )}`,
        'prepared',
      )
      return rows.map(({ subject }) => subject)
    },

    sendAlert: (subject: string) =>
      engine.db.transaction(async (tx) => {
        if (!(await isFirst(tx, subject))) return
        const [kind, ref] = subject.split(' ')
        if (kind === GUESSED_AT && ref) await alertByRef(tx, 'guessed-at', ref)
        else await alertOwners(tx, kind as AlertKind)
      }),

    /** The password was correct, but the second factor was being guessed. */
    alertPasswordKnown: (tx: Runner, sub: string) => alertBySub(tx, 'password-known', sub),
    /** The enrolment was stale and has been removed (stale-enrolments.ts). */
    alertStaleFactor: (tx: Runner, sub: string) => alertBySub(tx, 'factor-parked', sub),
    alertStalePassword: (tx: Runner, sub: string) => alertBySub(tx, 'password-parked', sub),
  }

  async function alertOwners(tx: Runner, alert: AlertKind) {
    const owners = await tx.query(
      sql<{ email: string }>`select distinct email from ${accounts}
        where staff = 'owner' and email is not null and deleted_at is null`,
    )
    for (const { email } of owners)
      await addMail(tx, { kind: 'security-alert', recipient: email, data: { alert } })
  }

  async function alertByRef(tx: Runner, kind: 'guessed-at', ref: string) {
    const [person] = await tx.query(
      sql<{ sub: string }>`select sub from ${subjectRefs} where ref = ${ref}`,
    )
    if (person) await alertAccount(tx, kind, person.sub)
  }

  async function alertBySub(tx: Runner, kind: Exclude<PersonalKind, 'guessed-at'>, sub: string) {
    const { ref } = await actorOf(tx, { sub, name: null, role: 'user' })
    if (await isFirst(tx, `${kind} ${ref}`)) await alertAccount(tx, kind, sub)
  }

  /** Mails the account, if its address is verified, and the desk. */
  async function alertAccount(tx: Runner, kind: PersonalKind, sub: string) {
    const account = await engine.directory?.find(sub)
    const [row] = await tx.query(
      sql<{ id: string }>`select id from ${accounts} where sub = ${sub} and deleted_at is null`,
    )
    const data = row ? { accountId: row.id } : {}
    if (account?.email && account.emailVerified)
      await addMail(tx, { kind, recipient: account.email, data })
    await addMail(tx, { kind: `${kind}-desk`, recipient: engine.desk.alertEmail, data })
  }
}

/** Events `e` of these kinds within the last hour, after the last alert. */
const eventsOf = (kinds: string[], subject: SQL) =>
  sql`${securityEvents} e where e.kind = any(${sql.param(kinds)}) and e.at > now() - ${HOUR}
    and not exists (select from ${securityMails} told where told.subject = ${subject} and told.at > now() - ${HOUR})
    and e.at > coalesce((select max(told.at) from ${securityMails} told where told.subject = ${subject}), '-infinity')`

const isStaff = (accounts: PgTable) =>
  sql`exists (select from ${subjectRefs} r join ${accounts} a on a.sub = r.sub
    where r.ref in (e.about_ref, e.actor_ref) and a.staff <> 'none')`

/** False if any replica sent this alert within the last hour. */
async function isFirst(tx: Runner, subject: string) {
  const rows = await tx.query(
    sql`insert into ${securityMails} as known (subject, at) values (${subject}, now())
      on conflict (subject) do update set at = now() where known.at <= now() - ${HOUR} returning subject`,
  )
  return rows.length > 0
}
