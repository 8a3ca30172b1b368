import type { ModelAction } from '#action.ts'
import type { Field } from '#fields.ts'
import { np, personal } from '#privacy.ts'
import { choices } from './options.ts'

const body: Field = {
  type: 'textarea',
  label: 'Message',
  required: true,
  privacy: personal('communication', ['enquiries', 'delivery'], {
    erase: 'redact',
    freeText: true,
  }),
}

/** What a message may say about its ticket, and what a reply may set. */
export const SETTABLE_STATUSES = choices('Open', 'Closed')

/** Four acts that never mix: changing the status sends nothing anybody typed, and a note never leaves the house. */
export const ticketActions: Record<string, ModelAction> = {
  reply: {
    label: 'Send reply',
    access: 'user',
    fields: {
      body,
      status: {
        type: 'select',
        label: 'Set status to',
        options: SETTABLE_STATUSES,
        writableBy: 'admin',
        privacy: np,
      },
    },
  },
  note: { label: 'Add note', access: 'admin', fields: { body } },
  close: {
    label: 'Close request',
    access: 'user',
    when: { all: [['status', 'in', ['New', 'Open', 'Waiting for client', 'Resolved']]] },
  },
  reopen: {
    label: 'Reopen request',
    access: 'user',
    when: { all: [['status', 'in', ['Resolved', 'Closed']]] },
  },
}
