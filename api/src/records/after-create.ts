import type { Row } from '#db.ts'
import { addMail } from '#outbox.ts'
import { contextOf } from '#site.ts'
import { changeFields, type Changing } from './change.ts'
import { modelOf } from './engine.ts'

type AfterCreate = (changing: Changing, record: Row) => Promise<void>

/** What follows a creation, in its transaction. Models say which by name. */
export const afterCreate: Record<string, AfterCreate> = {
  async openTicket({ engine, tx }, { id, email, contactType }) {
    const data = { ticketId: String(id) }
    const { desk } = engine
    await addMail(tx, { kind: 'ticket-opened', recipient: desk.email, data })
    await addMail(tx, { kind: 'ticket-received', recipient: String(email), data })
    if (contactType === 'Report')
      await addMail(tx, { kind: 'ticket-reported', recipient: desk.alertEmail, data })
  },

  /** The ticket waits for the other side, unless the message says otherwise. An internal note is nobody's turn. */
  async answerTicket(changing, { id, ticket, internal, fromStaff, setsStatus }) {
    if (internal !== false) return
    const { engine, tx } = changing
    const before = await changeFields(
      { ...changing, model: modelOf(engine, 'tickets') },
      String(ticket),
      {
        status: setsStatus ?? (fromStaff ? 'Waiting for client' : 'Open'),
        lastContactAt: contextOf(engine.site).now,
      },
    )
    const recipient = fromStaff ? before?.['email'] : engine.desk.email
    if (typeof recipient !== 'string') return
    const kind = fromStaff ? 'ticket-answered' : 'ticket-replied'
    await addMail(tx, { kind, recipient, data: { messageId: String(id) } })
  },
}
