import { toOneLine } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row, Runner } from './db.ts'
import type { MailFacts, MailKind } from './mail-texts.ts'
import type { OutboxMail } from './outbox.ts'

/** What a mail tells about, as it is now; null where there is nothing left to tell. */
export async function readFacts<K extends MailKind>(
  db: Runner,
  { kind, data }: OutboxMail<K>,
): Promise<MailFacts[K] | null> {
  if ('ticketId' in data) {
    const ticket = await readTicket(db, data.ticketId)
    // Changed back since: the mail would say what is no longer so.
    const isTrue = TOLD_STATUSES[kind]?.includes(String(ticket?.['status'])) ?? true
    return ticket && isTrue ? toFacts({ ...ticket, ...data }) : null
  }
  if ('messageId' in data) return toFacts(await readMessage(db, data.messageId))
  return data as unknown as MailFacts[K]
}

/** A name from before names were held to one line must not write lines of its own into the mail. */
const toFacts = <T>(row: Row | null) =>
  row &&
  (Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && !SEVERAL_LINES.includes(name) ? toOneLine(value) : value,
    ]),
  ) as T)

const SEVERAL_LINES = ['message', 'body']

/** The statuses of which each mail about one says the truth. */
const TOLD_STATUSES: { [K in MailKind]?: string[] } = {
  'ticket-closed': ['Closed'],
  'ticket-reopened': ['New', 'Open', 'Waiting for client'],
}

async function readTicket(db: Runner, id: string) {
  const [row] = await db.query(
    sql`select t.id, t.number, t.subject, t.message, t.full_name as "fullName", t.email, t.status,
        t.contact_type as "contactType",
        exists (select from accounts a where a.sub = t.client_id and a.email_verified
          and lower(a.email) = lower(t.email) and a.deleted_at is null) as "isProven"
      from tickets t where t.id = ${id} and t.deleted_at is null and t.restricted_at is null`,
  )
  return row ?? null
}

async function readMessage(db: Runner, id: string) {
  const [row] = await db.query(
    sql`select t.id as "ticketId", t.number, t.subject, m.body, m.author_name as "authorName",
        m.sets_status as "setsStatus"
      from messages m join tickets t on t.id = m.ticket
      where m.id = ${id} and not m.internal and m.deleted_at is null and m.restricted_at is null
        and t.deleted_at is null and t.restricted_at is null`,
  )
  return row ?? null
}
