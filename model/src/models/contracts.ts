import { defineModel } from '#definition/model.ts'
import { np, personal } from '#definition/privacy.ts'
import { CURRENCIES } from './iso-codes.ts'

export const contracts = defineModel({
  name: 'Contract',
  title: 'Contracts',
  path: 'contracts',
  displayField: 'reference',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { manager: 'organisation' },
  rules: [['endOn', 'gte', 'startOn']],
  // Deleting a started contract would turn a client into a prospect and shorten the retention period of their data.
  deleteOnly: {
    when: { all: [['startOn', 'gt', '@today']] },
    message: 'A contract that has started can’t be deleted. Set its end date instead.',
  },
  privacy: { subject: { email: 'signatoryEmail' }, retention: 'customer', onErase: 'null' },
  fields: {
    reference: {
      type: 'text',
      label: 'Reference',
      help: 'For example C-2026-001.',
      required: true,
      unique: true,
      maxLength: 40,
      sortable: true,
      scopedSort: true,
      searchable: true,
      privacy: np,
    },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      required: true,
      onDelete: 'restrict',
      // An organisation's relationship is computed from these.
      covers: ['endOn', 'terminatedOn', 'autoRenew'],
      privacy: np,
    },
    service: {
      type: 'relation',
      label: 'Service',
      to: 'services',
      required: true,
      onDelete: 'restrict',
      privacy: np,
    },
    startOn: {
      type: 'date',
      label: 'Starts on',
      required: true,
      sortable: true,
      scopedSort: true,
      privacy: np,
    },
    endOn: {
      type: 'date',
      label: 'Ends on',
      help: 'Leave empty if open-ended.',
      sortable: true,
      privacy: np,
    },
    terminatedOn: { type: 'date', label: 'Terminated on', privacy: np },
    autoRenew: { type: 'boolean', label: 'Auto-renews', default: false, privacy: np },
    noticeDays: {
      type: 'integer',
      label: 'Notice period',
      unit: 'days',
      min: 0,
      default: 30,
      privacy: np,
    },
    monthlyFee: {
      type: 'decimal',
      label: 'Monthly fee',
      min: 0,
      step: 0.01,
      currency: 'currency',
      sortable: true,
      writableBy: 'owner',
      privacy: np,
    },
    currency: {
      type: 'select',
      label: 'Currency',
      options: CURRENCIES,
      default: '@site.currency',
      // The same number in another currency is another fee.
      writableBy: 'owner',
      privacy: np,
    },
    documentUrl: { type: 'url', label: 'Document', privacy: np },
    terms: { type: 'markdown', label: 'Terms', privacy: np },
    status: {
      type: 'select',
      label: 'Status',
      options: [
        { value: 'draft', label: 'Draft', tone: 'warning' },
        { value: 'active', label: 'Active', tone: 'success' },
        { value: 'ended', label: 'Ended', tone: 'neutral' },
      ],
      computed: 'sql',
      privacy: np,
    },
    signatoryName: {
      type: 'text',
      label: 'Signatory',
      privacy: personal('identity', ['records'], { erase: 'redact' }),
    },
    signatoryEmail: {
      type: 'email',
      label: 'Signatory email',
      privacy: personal('contact', ['records'], { erase: 'null' }),
    },
  },
})
