import type { Condition } from '#definition/filter.ts'
import { defineModel } from '#definition/model.ts'
import { choices, toned } from '#definition/options.ts'
import { np, personal } from '#definition/privacy.ts'
import type { Purpose } from '#definition/privacy.ts'
import { OPEN_STATUSES, ticketActions } from './ticket-actions.ts'

const isOpen: Condition = ['status', 'in', OPEN_STATUSES]
const work: Purpose[] = ['enquiries', 'delivery']
const message = personal('communication', work, { erase: 'redact', freeText: true })
const place = personal('employment', work, { erase: 'unlink' })

/** Created by the contact form; its five fields keep the form's names. */
export const tickets = defineModel({
  name: 'Ticket',
  title: 'Tickets',
  path: 'tickets',
  displayField: 'subject',
  access: { list: 'user', get: 'user', create: 'user', update: 'admin', delete: 'admin' },
  rowScope: { account: 'clientId', manager: 'organisation' },
  actions: ticketActions,
  createPerMinute: 5,
  worklists: [
    { name: 'open', by: 'dueAt', also: ['status', 'openedAt'], where: { all: [isOpen] } },
    {
      name: 'callbacks',
      by: 'callbackAt',
      also: ['status'],
      where: { all: [isOpen, ['callbackAt', 'empty', false]] },
    },
    { name: 'differs', by: 'openedAt', where: { all: [['contactDiffers', 'eq', true]] } },
    // Of older releases: assign-clients looks for their owner.
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
  ],
  privacy: {
    subject: { email: 'email' },
    retention: 'relationship',
    onErase: 'null',
    recipients: ['mail'],
  },
  fields: {
    number: {
      type: 'integer',
      label: 'Number',
      sequence: true,
      unique: true,
      sortable: true,
      scopedSort: true,
      privacy: np,
    },
    fullName: {
      type: 'text',
      label: 'Full name',
      required: true,
      requiredUnless: 'contact',
      searchable: true,
      privacy: personal('identity', work, { erase: 'pseudonym' }),
    },
    email: {
      type: 'email',
      label: 'Email',
      required: true,
      requiredUnless: 'contact',
      searchable: true,
      privacy: personal('contact', work, { erase: 'null' }),
    },
    subject: {
      type: 'text',
      label: 'Subject',
      required: true,
      searchable: true,
      privacy: message,
    },
    contactType: {
      type: 'select',
      label: 'Type',
      options: [
        { value: 'Query' },
        { value: 'Callback', label: 'Callback Request' },
        { value: 'Report', label: 'Client Report' },
      ],
      required: true,
      default: 'Query',
      privacy: np,
    },
    message: {
      type: 'textarea',
      label: 'Message',
      required: true,
      searchable: true,
      privacy: message,
    },
    clientId: {
      type: 'text',
      label: 'Client account ID',
      writableBy: 'admin',
      stamp: 'account',
      privacy: personal('account', work, { erase: 'null', source: 'idp' }),
    },
    clientName: {
      type: 'text',
      label: 'Client name',
      writableBy: 'admin',
      stamp: 'name',
      privacy: personal('identity', work, { erase: 'pseudonym', source: 'idp' }),
    },
    // How it got its `clientId`. Empty where the client opened it, and on tickets of older releases.
    clientVia: {
      type: 'select',
      label: 'How the client account was found',
      options: choices('contact', 'pending', 'staff'),
      hidden: true,
      privacy: personal('account', work, { erase: 'null', source: 'system' }),
    },
    contact: {
      type: 'relation',
      label: 'Contact',
      to: 'contacts',
      help: 'Open a request for them: they see it if they have an account, and replies go to their address.',
      onDelete: 'unlink',
      writableBy: 'admin',
      stamp: 'contact',
      privacy: place,
    },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      help: 'Its managers see the whole conversation, earlier messages too.',
      onDelete: 'unlink',
      writableBy: 'admin',
      stamp: 'organisation',
      privacy: place,
    },
    contactDiffers: {
      type: 'boolean',
      label: 'Contact of another organisation',
      computed: 'column',
      visibleTo: 'admin',
      privacy: np,
    },
    service: {
      type: 'relation',
      label: 'Service',
      to: 'services',
      onDelete: 'unlink',
      writableBy: 'admin',
      privacy: np,
    },
    status: {
      type: 'select',
      label: 'Status',
      options: toned({
        New: 'info',
        Open: 'info',
        'Waiting for client': 'warning',
        Resolved: 'success',
        Closed: 'neutral',
      }),
      default: 'New',
      writableBy: 'admin',
      sortable: true,
      privacy: np,
    },
    priority: {
      type: 'select',
      label: 'Priority',
      options: choices('Low', 'Normal', 'High', 'Urgent'),
      scale: true,
      default: 'Normal',
      writableBy: 'admin',
      privacy: np,
    },
    callbackAt: {
      type: 'datetime',
      label: 'Callback time',
      writableBy: 'admin',
      sortable: true,
      privacy: np,
    },
    openedAt: {
      type: 'datetime',
      label: 'Opened',
      readOnly: true,
      default: '@now',
      sortable: true,
      privacy: np,
    },
    dueAt: {
      type: 'datetime',
      label: 'First reply due',
      computed: 'column',
      sortable: true,
      privacy: np,
    },
    closedAt: {
      type: 'datetime',
      label: 'Closed',
      computed: 'column',
      privacy: np,
    },
    lastContactAt: {
      type: 'datetime',
      label: 'Last contact',
      readOnly: true,
      default: '@now',
      privacy: personal('communication', work, { erase: 'null', source: 'system' }),
    },
    minutesSpent: {
      type: 'integer',
      label: 'Time spent',
      unit: 'min',
      min: 0,
      default: 0,
      writableBy: 'admin',
      privacy: np,
    },
    billable: {
      type: 'boolean',
      label: 'Billable',
      default: false,
      writableBy: 'admin',
      privacy: np,
    },
    tags: { type: 'multiselect', label: 'Tags', free: true, writableBy: 'admin', privacy: np },
    resolution: {
      type: 'markdown',
      label: 'Resolution',
      writableBy: 'admin',
      privacy: personal('communication', work, {
        erase: 'redact',
        freeText: true,
        source: 'system',
      }),
    },
    internalNotes: {
      type: 'textarea',
      label: 'Internal notes',
      visibleTo: 'admin',
      writableBy: 'admin',
      searchable: true,
      privacy: personal('communication', work, { erase: 'null', freeText: true, source: 'system' }),
    },
  },
})
