import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import type { Mails } from '#engine/mail-kind.ts'
import { outbox } from '#platform/platform-tables.ts'

const PAGE_SIZE = 50

/** An undelivered mail without its recipient, which only the record shows, to callers who may see it. */
type FailedMail = {
  id: string
  kind: string
  /** The record it is about; null if queued by an older release. */
  record: { model: string; id: string; reference: string | null } | null
  code: string
  /** Null while it is being retried. */
  failedAt: string | null
  attempts: number
  /** False once the address is deleted. */
  canRetry: boolean
}

export async function deadLetters(db: Runner, mails: Mails, after: string | null) {
  const beyond = after ? sql`and o.id < ${after}` : sql``
  const rows = await failedMails(db, mails, sql`o.failed_at is not null ${beyond}`)
  const items = rows.slice(0, PAGE_SIZE)
  return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null }
}

/** Alerts that failed at least once and are undelivered, while their record still needs action. */
export async function undeliveredAlerts(db: Runner, mails: Mails) {
  const items = await failedMails(db, mails, sql`o.code is not null and ${isOpenAlert(mails)}`)
  return { items: items.slice(0, PAGE_SIZE), next: null }
}

/** Reads one more than a page, to know whether there is another. */
function failedMails(db: Runner, mails: Mails, where: SQL) {
  return db.query(
    sql<FailedMail>`select o.id, o.kind, o.code, o.failed_at as "failedAt", o.attempts,
        o.recipient is not null as "canRetry", ${recordOf(mails)} as record
      from ${outbox} o where ${where} order by o.id desc limit ${PAGE_SIZE + 1}`,
  )
}

const kindIs = (kind: string) => eq(sql`o.kind`, kind)

/** Null for kinds of other releases. */
function recordOf(mails: Mails): SQL {
  const cases = Object.entries(mails).map(
    ([kind, { about }]) => sql`when ${kindIs(kind)} then ${about}`,
  )
  return cases.length === 0 ? sql`null::json` : sql`case ${sql.join(cases, sql` `)} end`
}

const isOpenAlert = (mails: Mails): SQL =>
  or(
    ...Object.entries(mails).map(([kind, { isOpenAlert: isOpen }]) =>
      isOpen ? and(kindIs(kind), isOpen) : undefined,
    ),
  ) ?? sql`false`
