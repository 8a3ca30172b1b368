import { fieldMessages } from '@gatehouse/model'
import { messages, tickets } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'
import { invalidRecord } from '#platform/errors.ts'
import { messageMails } from './mails.ts'
import { hasRecipient } from './owner.ts'

export const messageBehaviour = defineBehaviour(messages, {
  mails: messageMails,

  before: {
    /**
     * Locks the ticket first: two replies that share its lock through the relation and then update it would deadlock. A reply
     * without any recipient is rejected.
     */
    async create(change) {
      const { record, records } = change
      const ticket = await records(tickets).lock(record.ticket, { visible: true })
      const isReply = record.fromStaff === true && record.internal !== true
      if (ticket && isReply && !(await hasRecipient(ticket, change)))
        throw invalidRecord([{ field: 'body', message: fieldMessages.noRecipient }])
    },
  },

  after: {
    async create({ record, records, context, mail, desk }) {
      const { id: messageId, internal, fromStaff, setsStatus } = record
      if (internal !== false) return
      const ticket = await records(tickets).update(record.ticket, {
        status: setsStatus ?? (fromStaff ? 'Waiting for client' : 'Open'),
        lastContactAt: context.now,
      })
      if (fromStaff) await mail('ticket-answered', ticket?.email ?? null, { messageId })
      else await mail('ticket-replied', desk.email, { messageId })
    },
  },
})
