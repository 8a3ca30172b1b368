import { defineModel } from '#definition/model.ts'
import { capitalised, choices } from '#definition/options.ts'
import { np, personal } from '#definition/privacy.ts'
import { OPEN_INCIDENT_STATUSES } from './incidents.ts'
import { COUNTRIES } from './iso-codes.ts'
import { OPEN_STATUSES } from './ticket-actions.ts'

const billing = personal('contact', ['delivery', 'records'], { erase: 'null' })

export const organisations = defineModel({
  name: 'Organisation',
  title: 'Organisations',
  path: 'organisations',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { member: 'id' },
  icon: 'buildings',
  summary: ['industry', 'city', 'country'],
  list: {
    columns: ['name', 'relationship', 'slaTier', 'city', 'phone', 'employees', 'lastContactOn'],
    phone: ['name', 'slaTier', 'phone'],
    reader: ['name', 'slaTier', 'phone', 'city'],
    empty: 'No organisations yet.',
  },
  glance: [
    {
      related: 'tickets.organisation',
      where: { all: [['status', 'in', OPEN_STATUSES]] },
      label: 'open',
    },
    {
      related: 'incidents.organisation',
      where: { all: [['status', 'in', OPEN_INCIDENT_STATUSES]] },
      label: 'open',
    },
    { field: 'relationship' },
    { field: 'slaTier' },
    { field: 'lastContactOn' },
  ],
  sections: [
    {
      title: 'Business',
      fields: ['name', 'industry', 'employees', 'soleTrader', 'relationship', 'slaTier'],
    },
    {
      title: 'Contact',
      fields: ['phone', 'website', 'addressLine', 'postcode', 'city', 'country', 'lastContactOn'],
    },
    { title: 'Billing', fields: ['billingEmail', 'vatNumber'] },
    { title: 'Notes', fields: ['notes', 'documents'] },
  ],
  related: [
    {
      model: 'contacts',
      by: 'organisation',
      columns: ['fullName', 'jobTitle', 'phone', 'email', 'portalRole'],
    },
    {
      model: 'contracts',
      by: 'organisation',
      columns: ['reference', 'service', 'status', 'monthlyFee', 'endOn'],
    },
    {
      model: 'assets',
      by: 'organisation',
      columns: ['name', 'kind', 'assignedTo', 'warrantyUntil', 'lastSeenAt'],
    },
    {
      model: 'tickets',
      by: 'organisation',
      columns: ['number', 'subject', 'status', 'priority', 'dueAt'],
    },
    {
      model: 'incidents',
      by: 'organisation',
      columns: ['title', 'status', 'severity', 'detectedAt'],
    },
  ],
  privacy: { subject: { email: 'billingEmail' }, retention: 'relationship', onErase: 'null' },
  fields: {
    name: {
      type: 'text',
      label: 'Name',
      required: true,
      maxLength: 120,
      sortable: true,
      searchable: true,
      privacy: np,
    },
    soleTrader: {
      type: 'boolean',
      label: 'Sole trader',
      help: 'One person is the business: erasing them erases the whole organisation.',
      default: false,
      privacy: np,
    },
    industry: {
      type: 'select',
      label: 'Industry',
      options: choices(
        'Professional services',
        'Manufacturing',
        'Retail',
        'Health',
        'Education',
        'Public sector',
        'Other',
      ),
      default: 'Other',
      privacy: np,
    },
    website: { type: 'url', label: 'Website', privacy: np },
    phone: {
      type: 'tel',
      label: 'Phone',
      privacy: personal('contact', ['delivery'], { erase: 'null' }),
    },
    billingEmail: { type: 'email', label: 'Billing email', privacy: billing },
    addressLine: { type: 'text', label: 'Address', privacy: billing },
    city: { type: 'text', label: 'City', sortable: true, searchable: true, privacy: billing },
    postcode: { type: 'text', label: 'Postcode', maxLength: 20, privacy: billing },
    country: {
      type: 'select',
      label: 'Country',
      options: COUNTRIES,
      required: true,
      default: '@site.country',
      privacy: np,
    },
    vatNumber: {
      type: 'text',
      label: 'VAT number',
      maxLength: 30,
      privacy: personal('contract', ['records']),
    },
    employees: { type: 'integer', label: 'Employees', min: 0, sortable: true, privacy: np },
    slaTier: {
      type: 'select',
      label: 'SLA tier',
      options: choices('None', 'Standard', 'Priority', '24x7'),
      required: true,
      default: 'None',
      sortable: true,
      privacy: np,
    },
    relationship: {
      type: 'select',
      label: 'Relationship',
      options: capitalised('prospect', 'client', 'former'),
      computed: 'sql',
      privacy: np,
    },
    lastContactOn: {
      type: 'date',
      label: 'Last contact',
      readOnly: true,
      default: '@today',
      sortable: true,
      privacy: np,
    },
    notes: {
      type: 'textarea',
      label: 'Notes',
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: personal('communication', ['delivery'], {
        erase: 'null',
        freeText: true,
        source: 'system',
      }),
    },
    documents: {
      type: 'file',
      label: 'Documents',
      help: 'Only the team sees these.',
      max: 50,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: personal('contract', ['delivery', 'records'], { erase: 'file', source: 'client' }),
    },
  },
})
