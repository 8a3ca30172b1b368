import { messages, tickets } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'
import { messageMails } from './mails.ts'

export const messageBehaviour = defineBehaviour(messages, {
  mails: messageMails,

  before: {
    /** Lock first: FOR SHARE by its relation, then UPDATE, by two replies would deadlock. */
    async create({ record, records }) {
      await records(tickets).lock(record.ticket, { visible: true })
    },
  },

  after: {
    /** The ticket waits for the other side, unless the message sets a status. Internal notes change nothing. */
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
