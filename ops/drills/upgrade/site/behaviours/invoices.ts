import {
  conflict,
  defineBehaviour,
  defineMail,
  paragraphs,
  recordIn,
  type MailContext,
} from '@gatehouse/api/behaviour'
import { invoices } from '../models/invoices.ts'

const DAY_MS = 86_400_000
const DAYS_TO_PAY = 30

type AboutInvoice = { invoiceId: string }

export const invoiceBehaviour = defineBehaviour(invoices, {
  mails: {
    invoice: defineMail({
      about: recordIn(invoices, { id: 'invoiceId', reference: 'reference' }),
      /** Null if it has another address by now. */
      async facts({ records, mail: { data, recipient } }: MailContext<AboutInvoice>) {
        const invoice = await records(invoices).get(data.invoiceId)
        return invoice?.sentTo === recipient ? invoice : null
      },
      text: ({ reference, amount, dueOn }, { site }) => ({
        subject: `Invoice ${reference}`,
        text: paragraphs(`Please pay ${amount} ${site.currency} by ${dueOn}.`, site.name),
      }),
    }),
  },

  validate: ({ record }) =>
    record.status !== 'Draft' && record.amount === 0
      ? [{ field: 'amount', message: 'An invoice over nothing stays a draft.' }]
      : [],
  computed: {
    dueOn: ({ record: { issuedOn } }) =>
      issuedOn
        ? new Date(Date.parse(issuedOn) + DAYS_TO_PAY * DAY_MS).toISOString().slice(0, 10)
        : null,
  },
  actions: {
    async send({ record, records, mail }) {
      if (!record.sentTo) throw conflict('nobody-to-send-to', 'Say first who it is sent to.')
      await mail('invoice', record.sentTo, { invoiceId: record.id })
      await records(invoices).update(record.id, { status: 'Sent' })
    },
  },
})
