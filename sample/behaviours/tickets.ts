import {
  defineMail,
  extendBehaviour,
  paragraphs,
  recordIn,
  type MailContext,
} from '@gatehouse/api/behaviour'
import { tickets } from '../models/tickets.ts'

const PASSWORD = /\bpassword\s*[:=]/i

/** Queued with a mail: ids only, because its record may change before it is sent. */
type AboutTicket = { ticketId: string }

export const ticketBehaviour = extendBehaviour(tickets, {
  mails: {
    survey: defineMail({
      about: recordIn(tickets, { id: 'ticketId', reference: 'number' }),
      /** Null if the request was reopened or has another address by now: the mail is not sent. */
      async facts({ records, mail: { data, recipient } }: MailContext<AboutTicket>) {
        const ticket = await records(tickets).get(data.ticketId)
        const isTheirs = ticket?.email?.toLowerCase() === recipient.toLowerCase()
        return isTheirs && ticket.status === 'Closed' ? ticket : null
      },
      text: ({ id, number }, { site }) => ({
        subject: `[#${number}] How did we do?`,
        text: paragraphs(
          'We’ve closed your request. Did we solve it? What could we do better?',
          `Reply here: ${site.url}/requests/${id}`,
          site.name,
        ),
      }),
    }),
  },

  validate: ({ record }) =>
    PASSWORD.test(record.internalNotes ?? '')
      ? [{ field: 'internalNotes', message: 'Passwords belong in the password manager.' }]
      : [],

  actions: {
    survey: ({ record, mail }) => mail('survey', record.email, { ticketId: record.id }),
  },
})
