import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import type { Mails } from '#platform/outbox.ts'
import { outbox } from '#platform/tables.ts'

const PAGE_SIZE = 50

/** A mail somebody should look at, without whom it is for: the record says that to whoever may see it. */
type FailedMail = {
  id: string
  kind: string
  /** What it tells about; null where an older release did not say. */
  record: { model: string; id: string; reference: string | null } | null
  code: string
  /** Null while it is still being tried. */
  failedAt: Date | null
  attempts: number
  /** Not once the address is gone. */
  canRetry: boolean
}

/** What nobody tries any more, newest first. */
export async function deadLetters(db: Runner, mails: Mails, after: string | null) {
  const beyond = after ? sql`and o.id < ${after}` : sql``
  const rows = await failedMails(db, mails, sql`o.failed_at is not null ${beyond}`)
  const items = rows.slice(0, PAGE_SIZE)
  return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null }
}

/** Alerts that failed at least once and have not arrived, as long as somebody has to do something about their record. */
export async function undeliveredAlerts(db: Runner, mails: Mails) {
  const items = await failedMails(db, mails, sql`o.code is not null and ${isOpenAlert(mails)}`)
  return { items: items.slice(0, PAGE_SIZE), next: null }
}

/** One more than a page: then there is another. */
async function failedMails(db: Runner, mails: Mails, where: SQL): Promise<FailedMail[]> {
  const rows = await db.query(
    sql`select o.id, o.kind, o.code, o.failed_at as "failedAt", o.attempts, o.recipient is not null as "canRetry",
        ${recordOf(mails)} as record
      from ${outbox} o where ${where} order by o.id desc limit ${PAGE_SIZE + 1}`,
  )
  return rows as FailedMail[]
}

const kindIs = (kind: string) => eq(sql`o.kind`, kind)

/** Each kind says itself what it is about; one of another release says nothing. */
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
