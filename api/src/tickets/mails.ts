import { toOneLine, type SiteConfig } from '@gatehouse/model'
import { CLOSED_STATUSES, OPEN_STATUSES } from '@gatehouse/model/models'
import { sql, type SQL } from 'drizzle-orm'
import { revisions } from '#engine/history/tables.ts'
import type { Runner } from '#platform/db.ts'
import { paragraphs, type Mail, type OutboxMail } from '#platform/outbox.ts'
import type { Site } from '#platform/site-config.ts'

/** The ticket `t` that an outbox row (`o`) is about, directly or through a message. */
const THE_TICKET = sql`tickets t where t.id = coalesce((o.data ->> 'ticketId')::uuid,
  (select ticket from messages where id = (o.data ->> 'messageId')::uuid))`
const ABOUT_TICKET = sql`(select json_build_object('model', 'tickets', 'id', t.id, 'reference', '#' || t.number)
  from ${THE_TICKET})`
const IS_TICKET_OPEN = sql`exists (select from ${THE_TICKET}
  and t.deleted_at is null and t.restricted_at is null and t.status <> all(${sql.param([...CLOSED_STATUSES])}::text[]))`

type AboutTicket = { ticketId: string }
/** To the client when staff did it, to staff when the client did. */
type Settled = AboutTicket & { to: 'client' | 'staff' }

type TicketFacts = {
  id: string
  number: number
  subject: string
  message: string
  fullName: string
  email: string
  contactType: string
  status: string
  /** The address is the account's verified one: anyone can type anyone's, and a text to send there. */
  isProven: boolean
}

/** A visitor's input is mailed to staff, and to clients only if `isProven`. */
export const ticketMails = {
  'ticket-opened': mailOf<AboutTicket>({
    facts: (db, mail) => readTicket(db, mail, ANYBODY),
    text: (ticket, { site }) => ({
      subject: `[#${ticket.number}] New request: ${ticket.subject}`,
      text: requestText(ticket, site.url),
    }),
  }),

  // Goes to the address that is watched around the clock.
  'ticket-reported': mailOf<AboutTicket>({
    isOpenAlert: IS_TICKET_OPEN,
    facts: (db, mail) => readTicket(db, mail, ANYBODY),
    text: (ticket, { site }) => ({
      subject: `[#${ticket.number}] Client report: ${ticket.subject}`,
      text: requestText(ticket, site.url),
    }),
  }),

  'ticket-received': mailOf<AboutTicket>({
    confirms: 'contact',
    facts: (db, mail) => readTicket(db, mail, isTheirs(mail)),
    text: (ticket, config) => ({
      subject: clientSubject(ticket, config.site),
      text: clientText(config, [
        `We’ve received your message.`,
        `We’ll reply within ${config.site.responseHours} hours.`,
        `Follow it or add details: ${config.site.url}/requests/${ticket.id}`,
        ...(ticket.isProven ? [`Your message:`, ticket.message] : []),
        `If you didn’t write to us, ignore this email.`,
      ]),
    }),
  }),

  'ticket-closed': settledMail({
    statuses: ['Closed'],
    staffSubject: 'Closed by the client',
    toClient: (url) => [
      `We’ve closed this request. If something is missing, reopen it here:\n${url}`,
    ],
  }),

  'ticket-reopened': settledMail({
    statuses: OPEN_STATUSES,
    staffSubject: 'Reopened by the client',
    toClient: (url) => [`We’ve reopened this request and will get back to you.`, url],
  }),
}

/** All are about a ticket, directly or through a message. */
function mailOf<Data extends object, Facts = TicketFacts>(
  mail: Omit<Mail<Data, Facts>, 'about'>,
): Mail<Data, Facts> {
  return { about: ABOUT_TICKET, ...mail }
}

type Settling = {
  /** Statuses in which the mail is still true. */
  statuses: readonly string[]
  staffSubject: string
  toClient: (url: string) => string[]
}

function settledMail({ statuses, staffSubject, toClient }: Settling) {
  return mailOf<Settled, TicketFacts & Settled>({
    async facts(db, mail) {
      const { data } = mail
      const whose = data.to === 'client' ? isTheirs(mail) : ANYBODY
      const ticket = await readTicket(db, mail, whose)
      return ticket && statuses.includes(ticket.status) ? { ...ticket, ...data } : null
    },
    text: (facts, config) =>
      facts.to === 'client'
        ? {
            subject: `Re: ${clientSubject(facts, config.site)}`,
            text: clientText(config, toClient(`${config.site.url}/requests/${facts.id}`)),
          }
        : {
            subject: `[#${facts.number}] ${staffSubject}: ${facts.subject}`,
            text: paragraphs(`${config.site.url}/tickets/${facts.id}`),
          },
  })
}

/** One subject for all mails of a ticket, as mail programs thread by it. User input only if the address is proven. */
const clientSubject = (
  { number, subject, isProven }: Pick<TicketFacts, 'number' | 'subject' | 'isProven'>,
  site: Site,
) => `[#${number}] ${isProven ? subject : `Your request to ${site.name}`}`

const clientText = ({ controller }: SiteConfig, lines: string[]) =>
  paragraphs(
    ...lines,
    `Please reply on the website: replies to this email don’t reach us.`,
    `${controller.name}\n${controller.address}`,
  )

const requestText = (ticket: TicketFacts, url: string) =>
  paragraphs(
    `${ticket.fullName} <${ticket.email}> wrote:`,
    ticket.subject,
    ticket.message,
    `Type: ${ticket.contactType}\nReference: #${ticket.number}\n${url}/tickets/${ticket.id}`,
  )

type AboutMessage = { messageId: string }
type MessageFacts = {
  ticketId: string
  number: number
  subject: string
  body: string
  authorName: string | null
  setsStatus: string | null
  isProven: boolean
}

export const messageMails = {
  'ticket-answered': mailOf<AboutMessage, MessageFacts>({
    facts: (db, mail) => readMessage(db, mail, isTheirs(mail)),
    text: (message, config) => ({
      subject: `Re: ${clientSubject(message, config.site)}`,
      text: clientText(config, [
        `${config.site.name} replied:`,
        message.body,
        ...(message.setsStatus === 'Closed' ? [`The request is now closed.`] : []),
        `Read and reply: ${config.site.url}/requests/${message.ticketId}`,
      ]),
    }),
  }),

  'ticket-replied': mailOf<AboutMessage, MessageFacts>({
    facts: (db, mail) => readMessage(db, mail, ANYBODY),
    text: ({ ticketId, number, subject, body, authorName, setsStatus }, { site }) => ({
      subject: `[#${number}] Client reply: ${subject}`,
      text: paragraphs(
        `${authorName ?? 'The client'} wrote:`,
        body,
        ...(setsStatus === 'Closed' ? [`The client has closed it.`] : []),
        `${site.url}/tickets/${ticketId}`,
      ),
    }),
  }),
}

const ANYBODY = sql`true`

/**
 * Mails a client about ticket "t" only while it is theirs: same address, and same owner as when the mail was queued, or
 * same organisation if it had no owner. A mail may be queued for days.
 */
const isTheirs = ({ id, recipient }: OutboxMail): SQL =>
  sql`lower(t.email) = lower(${recipient}) and coalesce(
    (select case when owner is not null then owner is not distinct from t.client_id
        when org is not null then org is not distinct from t.organisation else true end
      from ${revisions} where model = 'tickets' and record_id = t.id and at <= to_timestamp(${millisecondsOf(id)}::float8 / 1000)
      order by version desc limit 1), true)`

/** Creation time from a UUIDv7: its first 48 bits. Resending a mail changes everything else. */
const millisecondsOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** The address of ticket "t" is known to be its client's. */
const IS_PROVEN = sql`exists (select from accounts a where a.sub = t.client_id and a.email_verified
  and lower(a.email) = lower(t.email) and a.deleted_at is null)`

async function readTicket(db: Runner, { data }: OutboxMail<AboutTicket>, theirs: SQL) {
  const [row] = await db.query(
    sql<TicketFacts>`select t.id, t.number, t.subject, t.message, t.full_name as "fullName", t.email, t.status,
        t.contact_type as "contactType", ${IS_PROVEN} as "isProven"
      from tickets t where t.id = ${data.ticketId} and t.deleted_at is null and t.restricted_at is null and ${theirs}`,
  )
  return row ? toOneLines(row) : null
}

async function readMessage(db: Runner, { data }: OutboxMail<AboutMessage>, theirs: SQL) {
  const [row] = await db.query(
    sql<MessageFacts>`select t.id as "ticketId", t.number, t.subject, m.body, m.author_name as "authorName",
        m.sets_status as "setsStatus", ${IS_PROVEN} as "isProven"
      from messages m join tickets t on t.id = m.ticket
      where m.id = ${data.messageId} and not m.internal and m.deleted_at is null and m.restricted_at is null
        and t.deleted_at is null and t.restricted_at is null and ${theirs}`,
  )
  return row ? toOneLines(row) : null
}

/** Old names may contain line breaks, which must not inject lines into the mail. */
const toOneLines = <Facts extends object>(facts: Facts) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && !SEVERAL_LINES.includes(name) ? toOneLine(value) : value,
    ]),
  ) as Facts

const SEVERAL_LINES = ['message', 'body']
