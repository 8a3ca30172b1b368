import type { Model } from '@gatehouse/model'
import type { Row } from '#db.ts'
import { addConfirmation } from '#mail-budget.ts'
import { addMail } from '#outbox.ts'
import { contextOf } from '#site.ts'
import { changeFields, type Changing } from './change.ts'
import { modelOf } from './engine.ts'

/** Returns whether a confirmation was queued; null where none belongs to it. */
type AfterCreate = (changing: Changing, record: Row) => Promise<boolean | null>

/** What follows a creation, in its transaction. Models say which by name. */
export const afterCreate: Record<string, AfterCreate> = {
  async openTicket({ engine, tx, caller: { visitor } }, { id, email, contactType }) {
    const data = { ticketId: String(id) }
    const { desk } = engine
    await addMail(tx, { kind: 'ticket-opened', recipient: desk.email, data })
    const mail = { kind: 'ticket-received', recipient: String(email), data } as const
    const isConfirmed = await addConfirmation(tx, { form: 'contact', visitor, mail })
    if (contactType === 'Report')
      await addMail(tx, { kind: 'ticket-reported', recipient: desk.alertEmail, data })
    return isConfirmed
  },

  /** The ticket waits for the other side, unless the message says otherwise. An internal note is nobody's turn. */
  async answerTicket(changing, { id, ticket, internal, fromStaff, setsStatus }) {
    if (internal !== false) return null
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
    if (typeof recipient === 'string') {
      const kind = fromStaff ? 'ticket-answered' : 'ticket-replied'
      await addMail(tx, { kind, recipient, data: { messageId: String(id) } })
    }
    return null
  },
}

/** Whether the answer to a creation says if the sender was written to. */
export const confirmsCreation = ({ afterCreate: step }: Model) => step === 'openTicket'
