import { defineModel } from '#definition/model.ts'
import { capitalised } from '#definition/options.ts'
import { INQUIRY_SUBJECTS } from '#privacy/notice.ts'
import { np, personal } from '#definition/privacy.ts'

/** A privacy case, opened with the Privacy Inquiry Form; the submitted fields are read-only. */
export const privacyrequests = defineModel({
  name: 'Privacy request',
  title: 'Privacy requests',
  path: 'privacyrequests',
  displayField: 'reference',
  defaultSort: 'dueOn',
  access: { list: 'owner', get: 'owner', create: 'owner', update: 'owner', delete: 'owner' },
  without: ['create', 'delete'],
  icon: 'person-lock',
  summary: ['kind', 'name'],
  list: {
    columns: ['reference', 'kind', 'status', 'name', 'receivedAt', 'dueOn', 'outcome'],
    phone: ['reference', 'kind', 'status', 'dueOn'],
    empty: 'No privacy requests yet.',
  },
  glance: [
    { field: 'dueOn' },
    { field: 'extendedTo' },
    { field: 'receivedAt' },
    { field: 'verifiedAt' },
  ],
  sections: [
    {
      title: 'Request',
      fields: ['reference', 'kind', 'name', 'email', 'message', 'receivedAt'],
    },
    {
      title: 'Case',
      fields: ['status', 'outcome', 'dueOn', 'verifiedAt', 'extendedTo', 'extensionReason'],
    },
  ],
  worklists: [
    {
      name: 'open',
      by: 'dueOn',
      where: {
        all: [
          ['status', 'in', ['received', 'awaiting_verification', 'open', 'in_progress', 'ready']],
        ],
      },
    },
  ],
  privacy: {
    subject: { email: 'email' },
    retention: 'prospect',
    onErase: 'null',
    recipients: ['mail'],
  },
  fields: {
    reference: {
      type: 'text',
      label: 'Reference',
      readOnly: true,
      unique: true,
      searchable: true,
      sortable: true,
      privacy: np,
    },
    kind: {
      type: 'select',
      label: 'Subject',
      options: capitalised(...INQUIRY_SUBJECTS),
      readOnly: true,
      sortable: true,
      privacy: np,
    },
    status: {
      type: 'select',
      label: 'Status',
      options: capitalised(
        'received',
        'awaiting_verification',
        'open',
        'in_progress',
        'ready',
        'closed',
      ),
      required: true,
      default: 'received',
      sortable: true,
      privacy: np,
    },
    outcome: {
      type: 'select',
      label: 'Outcome',
      options: capitalised(
        'fulfilled',
        'partially_fulfilled',
        'no_data',
        'refused',
        'withdrawn',
        'unverified',
      ),
      privacy: np,
    },
    name: {
      type: 'text',
      label: 'Name',
      readOnly: true,
      searchable: true,
      privacy: personal('identity', ['rights']),
    },
    email: {
      type: 'email',
      label: 'Email',
      readOnly: true,
      searchable: true,
      privacy: personal('contact', ['rights']),
    },
    message: {
      type: 'textarea',
      label: 'Message',
      readOnly: true,
      privacy: personal('communication', ['rights'], { freeText: true }),
    },
    receivedAt: {
      type: 'datetime',
      label: 'Received',
      readOnly: true,
      default: '@now',
      sortable: true,
      privacy: np,
    },
    dueOn: { type: 'date', label: 'Reply due', readOnly: true, sortable: true, privacy: np },
    verifiedAt: { type: 'datetime', label: 'Identity confirmed', readOnly: true, privacy: np },
    extendedTo: { type: 'date', label: 'Extended to', privacy: np },
    extensionReason: {
      type: 'select',
      label: 'Reason for extension',
      // The only two reasons in GDPR Art. 12(3).
      options: capitalised('complexity', 'number of requests'),
      privacy: np,
    },
  },
})
