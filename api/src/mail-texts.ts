import type { InquirySubject, SiteConfig } from '@gatehouse/model'
import { longDate } from './site.ts'

/** `requestId` is missing in what an older release has promised. */
type RequestFacts = { requestId?: string; reference: string; kind: InquirySubject; dueOn: string }

/** What each kind of mail is told; no names, so that nothing personal but the address waits in the outbox. */
export type MailData = {
  'request-received': RequestFacts
  'privacy-request-opened': RequestFacts & { requestId: string }
  'ticket-opened': { ticketId: string }
  'ticket-reported': { ticketId: string }
  'ticket-received': { ticketId: string }
  'ticket-answered': { messageId: string }
  'ticket-replied': { messageId: string }
  'ticket-closed': TicketSettled
  'ticket-reopened': TicketSettled
}
/** To the client when staff did it, to staff when the client did. */
type TicketSettled = { ticketId: string; to: 'client' | 'staff' }
export type MailKind = keyof MailData

/** Somebody waits for these by day and night: one that is not delivered at its first try shows on the desk. */
export const ALERT_KINDS: MailKind[] = ['ticket-reported']

type TicketFacts = {
  id: string
  number: number
  subject: string
  message: string
  fullName: string
  email: string
  contactType: string
  /** The address is the verified one of the account: anybody can type in anybody's, and words to go to it. */
  isProven: boolean
}
type MessageFacts = {
  ticketId: string
  number: number
  subject: string
  body: string
  authorName: string | null
  setsStatus: string | null
  isProven: boolean
}

/** What its words are made of when it is sent: read from the records then, not kept beside them. */
export type MailFacts = {
  'request-received': RequestFacts
  'privacy-request-opened': RequestFacts & { requestId: string }
  'ticket-opened': TicketFacts
  'ticket-reported': TicketFacts
  'ticket-received': TicketFacts
  'ticket-answered': MessageFacts
  'ticket-replied': MessageFacts
  'ticket-closed': SettledFacts
  'ticket-reopened': SettledFacts
}
type SettledFacts = TicketFacts & TicketSettled

type Text = { subject: string; text: string }

/** Every mail this product sends, in words. What a visitor typed goes to staff, and to a client who `isProven`. */
export const MAIL_TEXTS: { [K in MailKind]: (facts: MailFacts[K], config: SiteConfig) => Text } = {
  'request-received': ({ reference, kind, dueOn }, { site, controller }) => ({
    subject: `Your privacy request ${reference}`,
    text: lines(
      `We have received your privacy request.`,
      `Reference: ${reference}\nSubject: ${SUBJECTS[kind]}\nAnswer due by: ${longDate(dueOn)}`,
      `We answer at this address. Please keep the reference and name it when you write to us about this request.`,
      `If you did not send this request, tell us at ${controller.privacyEmail}.`,
      `${controller.name}\n${controller.address}\n${site.url}/privacy`,
    ),
  }),

  // Neither name nor text: what a person asks about their data is read where it is guarded.
  'privacy-request-opened': ({ requestId, reference, kind, dueOn }, { site }) => ({
    subject: `Privacy request ${reference}: ${kind}, due ${longDate(dueOn)}`,
    text: lines(`Open it: ${site.url}/privacyrequests/${requestId}`),
  }),

  'ticket-opened': (ticket, { site }) => ({
    subject: `New enquiry #${ticket.number}: ${ticket.subject}`,
    text: enquiry(ticket, site.url),
  }),

  'ticket-reported': (ticket, { site }) => ({
    subject: `Client report #${ticket.number}: ${ticket.subject}`,
    text: enquiry(ticket, site.url),
  }),

  'ticket-received': ({ id, number, subject, message, isProven }, { site, controller }) => ({
    subject: `We have received your message #${number}`,
    text: lines(
      `Thank you for your message. Your reference is #${number}: please quote it if you contact us about it.`,
      `You can follow the request and add to it here, once you have signed in:\n${site.url}/requests/${id}`,
      ...(isProven ? [`You wrote:`, subject, message] : []),
      `If you did not write to us, you need not do anything.`,
      `${controller.name}\n${controller.address}`,
    ),
  }),

  'ticket-answered': (
    { ticketId, number, subject, body, setsStatus, isProven },
    { site, controller },
  ) => ({
    subject: `An answer to your request #${number}`,
    text: lines(
      `${site.name} has answered your request #${number}${isProven ? `, ${subject}` : ''}:`,
      body,
      ...(setsStatus === 'Closed' ? [`The request is now closed.`] : []),
      `You can read all of it and answer here:\n${site.url}/requests/${ticketId}`,
      `${controller.name}\n${controller.address}`,
    ),
  }),

  'ticket-replied': ({ ticketId, number, subject, body, authorName, setsStatus }, { site }) => ({
    subject: `Answer on #${number}: ${subject}`,
    text: lines(
      `${authorName ?? 'The client'} wrote on #${number}, ${subject}:`,
      body,
      ...(setsStatus === 'Closed' ? [`The client has closed it.`] : []),
      `${site.url}/tickets/${ticketId}`,
    ),
  }),

  'ticket-closed': (facts, config) =>
    facts.to === 'client'
      ? toClient(facts, config, (url) => [
          `We’ve closed this request. If something is missing, reopen it here:\n${url}`,
        ])
      : {
          subject: `[#${facts.number}] Closed by the client: ${facts.subject}`,
          text: lines(`${config.site.url}/tickets/${facts.id}`),
        },

  'ticket-reopened': (facts, config) =>
    facts.to === 'client'
      ? toClient(facts, config, (url) => [
          `We’ve reopened this request and will get back to you.`,
          url,
        ])
      : {
          subject: `[#${facts.number}] Reopened by the client: ${facts.subject}`,
          text: lines(`${config.site.url}/tickets/${facts.id}`),
        },
}

/** One subject for all mails of a ticket: mail programs thread by it. */
const toClient = (
  { id, number, subject, isProven }: TicketFacts,
  { site, controller }: SiteConfig,
  say: (url: string) => string[],
): Text => ({
  subject: isProven ? `Re: [#${number}] ${subject}` : `[#${number}] Your request to ${site.name}`,
  text: lines(
    ...say(`${site.url}/requests/${id}`),
    `Please reply on the website: replies to this email don’t reach us.`,
    `${controller.name}\n${controller.address}`,
  ),
})

const enquiry = (ticket: TicketFacts, url: string) =>
  lines(
    `${ticket.fullName} <${ticket.email}> wrote:`,
    ticket.subject,
    ticket.message,
    `Type: ${ticket.contactType}\nReference: #${ticket.number}\n${url}/tickets/${ticket.id}`,
  )

const SUBJECTS: Record<InquirySubject, string> = {
  access: 'Access to your data',
  deletion: 'Deletion of your data',
  complaint: 'Complaint',
  other: 'Other',
}

const lines = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`
