import { conflict, defineBehaviour } from '@gatehouse/api/behaviour'
import { invoices } from '../models/invoices.ts'

const DAY_MS = 86_400_000
const DAYS_TO_PAY = 30

export const invoiceBehaviour = defineBehaviour(invoices, {
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
    async send({ record, records }) {
      if (!record.sentTo) throw conflict('nobody-to-send-to', 'Say first who it is sent to.')
      await records(invoices).update(record.id, { status: 'Sent' })
    },
  },
})
