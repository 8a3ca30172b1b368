import { addMail } from '#outbox.ts'
import { contextOf } from '#site.ts'
import type { Act, Acting } from './actions.ts'
import { changeFields } from './change.ts'

/** What can be done to a ticket beside changing its fields. */
export const ticketActions: Record<string, Act> = {
  reply: ({ record, input, create }) =>
    create('messages', {
      ticket: record['id'],
      body: input['body'],
      setsStatus: input['status'] ?? null,
    }),

  note: ({ record, input, create }) =>
    create('messages', { ticket: record['id'], body: input['body'], internal: true }),

  close: (acting) => settle(acting, { status: 'Closed', kind: 'ticket-closed' }),

  reopen: (acting) => settle(acting, { status: 'Open', kind: 'ticket-reopened' }),
}

type Settling = { status: 'Closed' | 'Open'; kind: 'ticket-closed' | 'ticket-reopened' }

/** Changes the status and tells the other side, in a fixed sentence: nothing anybody typed goes along. */
async function settle(acting: Acting, { status, kind }: Settling) {
  const { engine, tx, record, caller } = acting
  // It is mailed like a message, so it counts as one.
  await acting.count('messages')
  const ticketId = String(record['id'])
  await changeFields(acting, ticketId, { status, lastContactAt: contextOf(engine.site).now })
  const to = caller.level === 'admin' ? 'client' : 'staff'
  const recipient = to === 'client' ? record['email'] : engine.desk.email
  if (typeof recipient === 'string') await addMail(tx, { kind, recipient, data: { ticketId, to } })
}
