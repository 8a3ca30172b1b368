import { toOneLine } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { Row, Runner } from './db.ts'
import type { MailFacts, MailKind } from './mail-texts.ts'
import type { OutboxMail } from './outbox.ts'
import { revisions } from './table.ts'

/** What a mail tells about, as it is now; null where there is nothing left to tell, or nothing more to this address. */
export async function readFacts<K extends MailKind>(
  db: Runner,
  mail: OutboxMail<K>,
): Promise<MailFacts[K] | null> {
  const { kind, data } = mail
  if ('ticketId' in data) {
    const ticket = await readTicket(db, data.ticketId, isTheirs(mail))
    // Changed back since: the mail would say what is no longer so.
    const isTrue = TOLD_STATUSES[kind]?.includes(String(ticket?.['status'])) ?? true
    return ticket && isTrue ? toFacts({ ...ticket, ...data }) : null
  }
  if ('messageId' in data) return toFacts(await readMessage(db, data.messageId, isTheirs(mail)))
  return data as unknown as MailFacts[K]
}

/**
 * A client is written to about ticket "t" only while it is theirs: at the same address, and owned by whoever owned it
 * when the mail was promised, or by the organisation where nobody did. A mail may wait for days.
 */
function isTheirs({ id, kind, recipient, data }: OutboxMail): SQL {
  const isToClient = TO_CLIENTS.includes(kind) || ('to' in data && data.to === 'client')
  if (!isToClient) return sql`true`
  return sql`lower(t.email) = lower(${recipient}) and coalesce(
    (select case when owner is not null then owner is not distinct from t.client_id
        when org is not null then org is not distinct from t.organisation else true end
      from ${revisions} where model = 'tickets' and record_id = t.id and at <= to_timestamp(${millisecondsOf(id)}::float8 / 1000)
      order by version desc limit 1), true)`
}

const TO_CLIENTS: MailKind[] = ['ticket-received', 'ticket-answered']

/** When an id was made: the first 48 bits of a UUID of version 7. Sending a mail again changes all else about it. */
const millisecondsOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

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

/** The address of ticket "t" is known to be its client's. */
const IS_PROVEN = sql`exists (select from accounts a where a.sub = t.client_id and a.email_verified
  and lower(a.email) = lower(t.email) and a.deleted_at is null)`

async function readTicket(db: Runner, id: string, theirs: SQL) {
  const [row] = await db.query(
    sql`select t.id, t.number, t.subject, t.message, t.full_name as "fullName", t.email, t.status,
        t.contact_type as "contactType",
        ${IS_PROVEN} as "isProven"
      from tickets t where t.id = ${id} and t.deleted_at is null and t.restricted_at is null and ${theirs}`,
  )
  return row ?? null
}

async function readMessage(db: Runner, id: string, theirs: SQL) {
  const [row] = await db.query(
    sql`select t.id as "ticketId", t.number, t.subject, m.body, m.author_name as "authorName",
        m.sets_status as "setsStatus", ${IS_PROVEN} as "isProven"
      from messages m join tickets t on t.id = m.ticket
      where m.id = ${id} and not m.internal and m.deleted_at is null and m.restricted_at is null
        and t.deleted_at is null and t.restricted_at is null and ${theirs}`,
  )
  return row ?? null
}
