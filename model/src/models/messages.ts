import { defineModel } from '#definition/model.ts'
import { np, personal } from '#definition/privacy.ts'
import type { Purpose } from '#definition/privacy.ts'
import { attachments, SETTABLE_STATUSES } from './ticket-actions.ts'

const work: Purpose[] = ['enquiries', 'delivery']

/** The conversation on a ticket. Callers who see the ticket can read its messages, except internal notes, and add one. */
export const messages = defineModel({
  name: 'Message',
  title: 'Messages',
  path: 'messages',
  menu: false,
  displayField: 'body',
  access: { list: 'user', get: 'user', create: 'user', update: 'admin', delete: 'admin' },
  rowScope: { via: 'ticket' },
  publicFilter: { all: [['internal', 'eq', false]] },
  icon: 'chat-left-text',
  summary: ['ticket', 'authorName'],
  list: {
    columns: ['body', 'ticket', 'authorName', 'fromStaff', 'internal'],
    phone: ['body', 'authorName'],
    reader: ['body', 'ticket', 'authorName'],
    empty: 'No messages yet.',
  },
  glance: [{ field: 'authorName' }, { field: 'fromStaff' }, { field: 'internal' }],
  sections: [
    { title: 'Message', fields: ['ticket', 'body', 'attachments', 'authorName', 'fromStaff'] },
    { title: 'Handling', fields: ['internal', 'setsStatus'] },
  ],
  createPerMinute: 20,
  privacy: {
    subject: { via: 'ticket' },
    retention: 'relationship',
    onErase: 'redact',
    recipients: ['mail'],
  },
  fields: {
    ticket: {
      type: 'relation',
      label: 'Ticket',
      to: 'tickets',
      required: true,
      onDelete: 'cascade',
      privacy: np,
    },
    body: {
      type: 'textarea',
      label: 'Message',
      required: true,
      searchable: true,
      privacy: personal('communication', work, { erase: 'redact', freeText: true }),
    },
    attachments,
    setsStatus: {
      type: 'select',
      label: 'Set status to',
      options: SETTABLE_STATUSES,
      readOnly: true,
      privacy: np,
    },
    internal: {
      type: 'boolean',
      label: 'Internal note',
      default: false,
      // Changing an internal note to a reply would reveal it to the client.
      immutable: true,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: np,
    },
    fromStaff: {
      type: 'boolean',
      label: 'From staff',
      readOnly: true,
      stamp: 'isStaff',
      privacy: np,
    },
    authorName: {
      type: 'text',
      label: 'From',
      readOnly: true,
      stamp: 'author',
      privacy: personal('identity', work, { erase: 'pseudonym', source: 'idp' }),
    },
  },
})
