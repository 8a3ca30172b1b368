import { sql, type SQL } from 'drizzle-orm'
import type { Runner } from './db.ts'
import { ALERT_KINDS } from './mail-texts.ts'
import { outbox } from './table.ts'

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
export async function deadLetters(db: Runner, after: string | null) {
  const beyond = after ? sql`and o.id < ${after}` : sql``
  const rows = await failedMails(db, sql`o.failed_at is not null ${beyond}`)
  const items = rows.slice(0, PAGE_SIZE)
  return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null }
}

/** Alerts that failed at least once and have not arrived, as long as somebody has to do something about their ticket. */
export async function undeliveredAlerts(db: Runner) {
  const items = await failedMails(
    db,
    sql`o.kind = any(${sql.param(ALERT_KINDS)}) and o.code is not null
      and t.deleted_at is null and t.restricted_at is null and t.status not in ('Resolved', 'Closed')`,
  )
  return { items: items.slice(0, PAGE_SIZE), next: null }
}

/** One more than a page: then there is another. */
async function failedMails(db: Runner, where: SQL): Promise<FailedMail[]> {
  const rows = await db.query(
    sql`select o.id, o.kind, o.code, o.failed_at as "failedAt", o.attempts, o.recipient is not null as "canRetry",
        case when t.id is not null then json_build_object('model', 'tickets', 'id', t.id, 'reference', '#' || t.number)
          when p.id is not null then json_build_object('model', 'privacyrequests', 'id', p.id, 'reference', p.reference)
        end as record
      from ${outbox} o
      left join messages m on m.id = (o.data ->> 'messageId')::uuid
      left join tickets t on t.id = coalesce((o.data ->> 'ticketId')::uuid, m.ticket)
      left join privacyrequests p on p.id = (o.data ->> 'requestId')::uuid
      where ${where} order by o.id desc limit ${PAGE_SIZE + 1}`,
  )
  return rows as FailedMail[]
}
