import { defineModel } from '#definition/model.ts'
import { personal } from '#definition/privacy.ts'

const account = personal('account', ['account'], { source: 'idp' })
const ours = personal('account', ['account'], { source: 'system' })

/** Data from the identity provider. The first sign-in creates the row, unless an invitation or the staff sync already has. */
export const accounts = defineModel({
  name: 'Account',
  title: 'Accounts',
  path: 'accounts',
  menu: false,
  displayField: 'name',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  without: ['create', 'delete'],
  icon: 'person-badge',
  summary: ['email'],
  list: {
    columns: ['name', 'email', 'emailVerified', 'link', 'staff', 'lastSeenOn'],
    phone: ['name', 'link', 'lastSeenOn'],
    empty: 'No accounts yet.',
  },
  glance: [
    { field: 'link' },
    { field: 'staff' },
    { field: 'emailVerified' },
    { field: 'lastSeenOn' },
  ],
  sections: [
    { title: 'Account', fields: ['name', 'email', 'emailVerified', 'sub'] },
    { title: 'Access', fields: ['link', 'staff'] },
    { title: 'Sign-in', fields: ['firstSeenAt', 'lastSeenOn'] },
  ],
  actions: {
    approve: {
      label: 'Approve access',
      access: 'admin',
      when: { all: [['link', 'in', ['none', 'asked', 'refused']]] },
      done: 'Access approved.',
    },
    refuse: {
      label: 'Decline access',
      access: 'admin',
      when: { all: [['link', 'in', ['none', 'asked', 'approved']]] },
      done: 'Access declined.',
    },
    forgetfactors: {
      label: 'Remove second step',
      access: 'owner',
      isFresh: true,
      confirm: 'Remove the second step? Make sure that it’s really this person who asks.',
      done: 'Second step removed. They’re signed out and told by email.',
    },
  },
  worklists: [{ name: 'asked', by: 'lastSeenOn', where: { all: [['link', 'eq', 'asked']] } }],
  privacy: {
    subject: { sub: 'sub' },
    retention: 'relationship',
    onErase: 'row',
    recipients: ['mail'],
  },
  fields: {
    sub: { type: 'text', label: 'Account', readOnly: true, unique: true, privacy: account },
    email: {
      type: 'email',
      label: 'Email',
      readOnly: true,
      searchable: true,
      privacy: personal('contact', ['account'], { source: 'idp' }),
    },
    emailVerified: { type: 'boolean', label: 'Email verified', readOnly: true, privacy: account },
    name: {
      type: 'text',
      label: 'Name',
      readOnly: true,
      searchable: true,
      privacy: personal('identity', ['account'], { source: 'idp' }),
    },
    firstSeenAt: { type: 'datetime', label: 'First seen', readOnly: true, privacy: ours },
    lastSeenOn: { type: 'date', label: 'Last seen', readOnly: true, sortable: true, privacy: ours },
    staff: {
      type: 'select',
      label: 'Staff',
      options: [
        { value: 'none', label: 'None', tone: 'neutral' },
        { value: 'technician', label: 'Technician', tone: 'info' },
        { value: 'owner', label: 'Owner', tone: 'success' },
      ],
      readOnly: true,
      // An undo can write it, although it is read-only.
      writableBy: 'owner',
      default: 'none',
      privacy: ours,
    },
    link: {
      type: 'select',
      label: 'Portal access',
      options: [
        { value: 'none', label: 'None', tone: 'neutral' },
        { value: 'asked', label: 'Requested', tone: 'warning' },
        { value: 'approved', label: 'Approved', tone: 'success' },
        { value: 'refused', label: 'Declined', tone: 'danger' },
      ],
      readOnly: true,
      required: true,
      default: 'none',
      privacy: ours,
    },
  },
})
