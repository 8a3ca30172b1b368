import { defineModel } from '#definition/model.ts'
import { choices, toned } from '#definition/options.ts'
import { np, personal } from '#definition/privacy.ts'
import type { Purpose } from '#definition/privacy.ts'

const work: Purpose[] = ['delivery', 'security']

/** Statuses that still need action. */
export const OPEN_INCIDENT_STATUSES = ['New', 'Triage', 'Contained'] as const

export const incidents = defineModel({
  name: 'Incident',
  title: 'Incidents',
  path: 'incidents',
  displayField: 'title',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { member: 'organisation' },
  icon: 'shield-exclamation',
  summary: ['kind', 'organisation', 'asset'],
  list: {
    columns: ['title', 'organisation', 'kind', 'severity', 'status', 'detectedAt', 'notifyBy'],
    phone: ['title', 'severity', 'status'],
    reader: ['title', 'kind', 'severity', 'status', 'detectedAt'],
    empty: 'No incidents yet.',
  },
  glance: [
    { field: 'detectedAt' },
    { field: 'containedAt' },
    { field: 'resolvedAt' },
    { field: 'cvss' },
    { field: 'notifyBy' },
  ],
  sections: [
    {
      title: 'Incident',
      fields: [
        'title',
        'organisation',
        'kind',
        'severity',
        'cvss',
        'status',
        'asset',
        'reportedBy',
        'referenceUrl',
      ],
    },
    { title: 'Report', fields: ['summary', 'actions'] },
    { title: 'Dates', fields: ['detectedAt', 'containedAt', 'resolvedAt'] },
    { title: 'Data protection', fields: ['personalDataBreach', 'notifyBy', 'notifiedAt'] },
  ],
  // Breaches not yet notified, each with a deadline of 72 hours.
  worklists: [
    {
      name: 'breaches',
      by: 'notifyBy',
      also: ['status'],
      where: {
        all: [
          ['notifyBy', 'empty', false],
          ['notifiedAt', 'empty', true],
        ],
      },
    },
  ],
  privacy: {
    subject: { via: 'reportedBy' },
    retention: 'relationship',
    onErase: 'null',
    role: 'processor',
  },
  fields: {
    title: {
      type: 'text',
      label: 'Title',
      required: true,
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
      // An organisation's page counts the open ones.
      covers: ['status'],
      privacy: np,
    },
    kind: {
      type: 'select',
      label: 'Kind',
      options: choices(
        'Phishing',
        'Malware',
        'Unauthorised access',
        'Data loss',
        'Outage',
        'Vulnerability',
        'Misconfiguration',
      ),
      required: true,
      sortable: true,
      privacy: np,
    },
    severity: {
      type: 'select',
      label: 'Severity',
      options: choices('Low', 'Medium', 'High', 'Critical'),
      scale: true,
      required: true,
      default: 'Medium',
      privacy: np,
    },
    cvss: {
      type: 'decimal',
      label: 'CVSS',
      min: 0,
      max: 10,
      step: 0.1,
      sortable: true,
      privacy: np,
    },
    status: {
      type: 'select',
      label: 'Status',
      options: toned({
        New: 'danger',
        Triage: 'warning',
        Contained: 'info',
        Resolved: 'success',
        Closed: 'neutral',
      }),
      default: 'New',
      sortable: true,
      privacy: np,
    },
    detectedAt: {
      type: 'datetime',
      label: 'Detected',
      required: true,
      sortable: true,
      scopedSort: true,
      privacy: np,
    },
    containedAt: { type: 'datetime', label: 'Contained', privacy: np },
    resolvedAt: { type: 'datetime', label: 'Resolved', privacy: np },
    asset: { type: 'relation', label: 'Asset', to: 'assets', onDelete: 'unlink', privacy: np },
    reportedBy: {
      type: 'relation',
      label: 'Reported by',
      to: 'contacts',
      onDelete: 'unlink',
      privacy: personal('security', ['security'], { erase: 'unlink', source: 'client' }),
    },
    summary: {
      type: 'markdown',
      label: 'Summary',
      required: true,
      searchable: true,
      privacy: personal('security', work, { erase: 'redact', freeText: true, source: 'system' }),
    },
    actions: {
      type: 'markdown',
      label: 'Actions taken',
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: personal('communication', work, { erase: 'null', freeText: true, source: 'system' }),
    },
    referenceUrl: { type: 'url', label: 'Advisory', privacy: np },
    personalDataBreach: {
      type: 'boolean',
      label: 'Personal data breach',
      default: false,
      privacy: np,
    },
    notifyBy: {
      type: 'datetime',
      label: 'Notify by',
      help: '72 hours after detection of a personal data breach (GDPR Art. 33).',
      computed: 'column',
      sortable: true,
      privacy: np,
    },
    notifiedAt: { type: 'datetime', label: 'Authority notified', privacy: np },
  },
})
