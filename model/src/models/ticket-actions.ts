import type { ModelAction } from '#definition/action.ts'
import type { Field } from '#definition/fields.ts'
import type { Condition } from '#definition/filter.ts'
import type { Worklist } from '#definition/model.ts'
import { choices } from '#definition/options.ts'
import { np, personal } from '#definition/privacy.ts'

const body = {
  type: 'textarea',
  label: 'Message',
  required: true,
  privacy: personal('communication', ['enquiries', 'delivery'], {
    erase: 'redact',
    freeText: true,
  }),
} as const satisfies Field

export const attachments = {
  type: 'file',
  label: 'Attachments',
  max: 20,
  privacy: personal('communication', ['enquiries', 'delivery'], { erase: 'file' }),
} as const satisfies Field

export const SETTABLE_STATUSES = choices('Open', 'Closed')

/** Statuses that still need action. */
export const OPEN_STATUSES = ['New', 'Open', 'Waiting for client'] as const
export const CLOSED_STATUSES = ['Resolved', 'Closed'] as const

/** Separate actions, so that a status change never mails user input and a note is never mailed. */
export const ticketActions = {
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
      attachments,
    },
    done: 'Reply sent.',
    doneUnmailed: 'Reply saved. No email was sent.',
  },
  note: {
    label: 'Add note',
    access: 'admin',
    fields: {
      body: {
        ...body,
        label: 'Internal note',
        help: 'Only the team sees this. It is never emailed.',
      },
      attachments,
    },
    done: 'Note added.',
  },
  close: {
    label: 'Close request',
    access: 'user',
    when: { all: [['status', 'in', [...OPEN_STATUSES, 'Resolved']]] },
    done: 'Request closed.',
  },
  reopen: {
    label: 'Reopen request',
    access: 'user',
    when: { all: [['status', 'in', CLOSED_STATUSES]] },
    done: 'Request reopened.',
  },
} as const satisfies Record<string, ModelAction>

const isOpen: Condition = ['status', 'in', OPEN_STATUSES]

export const ticketWorklists: readonly Worklist[] = [
  { name: 'open', by: 'dueAt', also: ['status', 'openedAt'], where: { all: [isOpen] } },
  {
    name: 'callbacks',
    by: 'callbackAt',
    also: ['status'],
    where: { all: [isOpen, ['callbackAt', 'empty', false]] },
  },
  { name: 'differs', by: 'openedAt', where: { all: [['contactDiffers', 'eq', true]] } },
  // Tickets whose contact was removed: approving and declining its account find them by address and owner.
  {
    name: 'contactless',
    by: 'openedAt',
    also: ['clientId', 'email'],
    where: {
      all: [
        ['clientVia', 'in', ['contact', 'pending']],
        ['contact', 'empty', true],
      ],
    },
  },
  // Tickets of older releases: assign-clients backfills their owner.
  {
    name: 'unassigned',
    by: 'openedAt',
    also: ['contact'],
    where: {
      all: [
        ['clientId', 'empty', true],
        ['clientVia', 'empty', true],
        ['contact', 'empty', false],
      ],
    },
  },
]
