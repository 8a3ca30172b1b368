import { toOneLine, type MailTexts, type SiteConfig } from '@gatehouse/model'
import { CLOSED_STATUSES, OPEN_STATUSES } from '@gatehouse/model/models'
import { sql, type SQL } from 'drizzle-orm'
import { revisions } from '#engine/history/history-tables.ts'
import type { Mail, MailContext } from '#engine/mail-kind.ts'
import { paragraphs, type OutboxMail } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'
import type { Site } from '#platform/site-config.ts'

/** The ticket `t` that an outbox row (`o`) is about, directly or through a message. */
const THE_TICKET = sql`tickets t where t.id = coalesce((o.data ->> 'ticketId')::uuid,
  (select ticket from messages where id = (o.data ->> 'messageId')::uuid))`
const ABOUT_TICKET = sql`(select json_build_object('model', 'tickets', 'id', t.id, 'reference', '#' || t.number)
  from ${THE_TICKET})`
const IS_TICKET_OPEN = sql`exists (select from ${THE_TICKET}
  and t.deleted_at is null and t.restricted_at is null and t.status <> all(${sql.param([...CLOSED_STATUSES])}::text[]))`

type AboutTicket = { ticketId: string }
/** Sent to the client if staff acted, and to staff if the client did. */
type Settled = AboutTicket & { to: 'client' | 'staff' }

type TicketFacts = {
  id: string
  number: number
  subject: string
  message: string
  fullName: string
  email: string
  contactType: string
  phone: string | null
  callbackWish: string | null
  status: string
  /** The address is the account's verified one; otherwise callers could send their text to arbitrary addresses. */
  isProven: boolean
}

/** A visitor's input is mailed to staff, and to clients only if `isProven`. */
export const ticketMails = {
  'ticket-opened': mailOf<AboutTicket>({
    facts: (context) => readTicket(context, ANYBODY),
    text: (ticket, { site }, { staff }) => ({
      subject: staff.subject(staff.opened, ticket),
      text: requestText(ticket, site.url, staff),
    }),
  }),

  // Sent to the address that is monitored around the clock.
  'ticket-reported': mailOf<AboutTicket>({
    isOpenAlert: IS_TICKET_OPEN,
    facts: (context) => readTicket(context, ANYBODY),
    text: (ticket, { site }, { staff }) => ({
      subject: staff.subject(staff.reported, ticket),
      text: requestText(ticket, site.url, staff),
    }),
  }),

  'ticket-received': mailOf<AboutTicket>({
    confirms: 'contact',
    facts: (context) => readTicket(context, isTheirs(context.mail)),
    text: (ticket, config, texts) => ({
      subject: clientSubject(ticket, config.site, texts),
      text: clientText(ticket, config, texts, [
        texts.client.received,
        replyTime(config.site, texts.client),
        texts.client.follow(`${config.site.url}/requests/${ticket.id}`),
        ...(ticket.isProven ? [texts.client.yourMessage, ticket.message] : []),
        texts.client.notYou,
      ]),
    }),
  }),

  // Contains the subject even if the address is unproven, because staff wrote it.
  'ticket-opened-for': mailOf<AboutTicket>({
    confirms: 'contact',
    facts: (context) => readTicket(context, isTheirs(context.mail)),
    text: (ticket, config, texts) => ({
      subject: clientSubject(ticket, config.site, texts),
      text: clientText(ticket, config, texts, [
        texts.client.openedFor(ticket),
        replyTime(config.site, texts.client),
        texts.client.follow(`${config.site.url}/requests/${ticket.id}`),
      ]),
    }),
  }),

  'ticket-closed': settledMail({
    statuses: ['Closed'],
    toStaff: ({ closed }) => closed,
    toClient: (url, { closed }) => [closed(url)],
  }),

  'ticket-reopened': settledMail({
    statuses: OPEN_STATUSES,
    toStaff: ({ reopened }) => reopened,
    toClient: (url, { reopened }) => [reopened, url],
  }),
}

function mailOf<Data extends object, Facts = TicketFacts>(
  mail: Omit<Mail<Data, Facts>, 'about'>,
): Mail<Data, Facts> {
  return { about: ABOUT_TICKET, ...mail }
}

type Settling = {
  /** Statuses in which the mail is still correct. */
  statuses: readonly string[]
  toStaff: (texts: MailTexts['staff']) => string
  toClient: (url: string, texts: MailTexts['client']) => string[]
}

function settledMail({ statuses, toStaff, toClient }: Settling) {
  return mailOf<Settled, TicketFacts & Settled>({
    async facts(context) {
      const { data } = context.mail
      const whose = data.to === 'client' ? isTheirs(context.mail) : ANYBODY
      const ticket = await readTicket(context, whose)
      return ticket && statuses.includes(ticket.status) ? { ...ticket, ...data } : null
    },
    text: (facts, config, texts) =>
      facts.to === 'client'
        ? {
            subject: texts.client.reply(clientSubject(facts, config.site, texts)),
            text: clientText(
              facts,
              config,
              texts,
              toClient(`${config.site.url}/requests/${facts.id}`, texts.client),
            ),
          }
        : {
            subject: texts.staff.subject(toStaff(texts.staff), facts),
            text: paragraphs(`${config.site.url}/tickets/${facts.id}`),
          },
  })
}

/** Same subject for all mails of a ticket, since mail programs thread by it. User input only if the address is proven. */
const clientSubject = (
  { number, subject, isProven }: Pick<TicketFacts, 'number' | 'subject' | 'isProven'>,
  site: Site,
  { client }: MailTexts,
) => client.subject({ number, subject: isProven ? subject : client.unproven(site.name) })

const replyTime = (
  { hours, responseHours }: Site,
  { replyTime: plain, replyWorkingTime }: MailTexts['client'],
) => (hours ? replyWorkingTime : plain)(responseHours)

function clientText(
  { contactType }: { contactType: string },
  config: SiteConfig,
  texts: MailTexts,
  lines: string[],
) {
  const { emergency } = config.site
  return paragraphs(
    ...lines,
    ...(emergency && contactType === 'Report'
      ? [texts.client.emergency(emergency.phone, emergency.note)]
      : []),
    texts.closing,
    signatureOf(config, texts),
  )
}

const requestText = (ticket: TicketFacts, url: string, staff: MailTexts['staff']) =>
  paragraphs(
    staff.wrote(`${ticket.fullName} <${ticket.email}>`),
    ticket.subject,
    ticket.message,
    [
      ...(ticket.phone ? [staff.callBack(ticket.phone)] : []),
      ...(ticket.callbackWish ? [staff.callbackWish(ticket.callbackWish)] : []),
      staff.facts(ticket.contactType, ticket.number),
      `${url}/tickets/${ticket.id}`,
    ].join('\n'),
  )

type AboutMessage = { messageId: string }
type MessageFacts = {
  ticketId: string
  number: number
  subject: string
  contactType: string
  body: string
  authorName: string | null
  setsStatus: string | null
  isProven: boolean
}

export const messageMails = {
  'ticket-answered': mailOf<AboutMessage, MessageFacts>({
    facts: (context) => readMessage(context, isTheirs(context.mail)),
    text: (message, config, texts) => ({
      subject: texts.client.reply(clientSubject(message, config.site, texts)),
      text: clientText(message, config, texts, [
        texts.client.replied(config.site.name),
        message.body,
        ...(message.setsStatus === 'Closed' ? [texts.client.nowClosed] : []),
        texts.client.readAndReply(`${config.site.url}/requests/${message.ticketId}`),
      ]),
    }),
  }),

  'ticket-replied': mailOf<AboutMessage, MessageFacts>({
    facts: (context) => readMessage(context, ANYBODY),
    text: ({ ticketId, number, subject, body, authorName, setsStatus }, { site }, { staff }) => ({
      subject: staff.subject(staff.replied, { number, subject }),
      text: paragraphs(
        staff.wrote(authorName ?? staff.theClient),
        body,
        ...(setsStatus === 'Closed' ? [staff.hasClosed] : []),
        `${site.url}/tickets/${ticketId}`,
      ),
    }),
  }),
}

const ANYBODY = sql`true`

/**
 * Whether ticket "t" still belongs to the mail's recipient: same address, and same owner as when the mail was queued, or same
 * organisation if it had no owner. A mail may be queued for days.
 */
const isTheirs = ({ id, recipient }: OutboxMail): SQL =>
  sql`lower(t.email) = lower(${recipient}) and coalesce(
    (select case when owner is not null then owner is not distinct from t.client_id
        when org is not null then org is not distinct from t.organisation else true end
      from ${revisions} where model = 'tickets' and record_id = t.id and at <= to_timestamp(${millisecondsOf(id)}::float8 / 1000)
      order by version desc limit 1), true)`

/** Creation time from a UUIDv7: its first 48 bits. Resending a mail changes everything else. */
const millisecondsOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

const IS_PROVEN = sql`exists (select from accounts a where a.sub = t.client_id and a.email_verified
  and lower(a.email) = lower(t.email) and a.deleted_at is null)`

async function readTicket(
  { db, mail: { data } }: Pick<MailContext<AboutTicket>, 'db' | 'mail'>,
  theirs: SQL,
) {
  const [row] = await db.query(
    sql<TicketFacts>`select t.id, t.number, t.subject, t.message, t.full_name as "fullName", t.email, t.status,
        t.phone, t.callback_wish as "callbackWish", t.contact_type as "contactType", ${IS_PROVEN} as "isProven"
      from tickets t where t.id = ${data.ticketId} and t.deleted_at is null and t.restricted_at is null and ${theirs}`,
  )
  return row ? toOneLines(row) : null
}

async function readMessage(
  { db, mail: { data } }: Pick<MailContext<AboutMessage>, 'db' | 'mail'>,
  theirs: SQL,
) {
  const [row] = await db.query(
    sql<MessageFacts>`select t.id as "ticketId", t.number, t.subject, t.contact_type as "contactType", m.body, m.author_name as "authorName",
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
