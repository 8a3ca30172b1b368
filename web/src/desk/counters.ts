import { UNANSWERED } from '#data/desk-count.ts'
import { list } from '#data/records.ts'
import { OPEN_STATUSES } from '#data/tickets.ts'
import { deskMessages } from '#messages/desk.ts'

const { ages, counted } = deskMessages

type Counter = {
  label: string
  address: string
  kind?: 'danger' | 'warning'
  /** Default: every admin. */
  access?: 'owner'
}

const IS_OPEN = ['status', 'in', OPEN_STATUSES] as const
const UNSETTLED = ['status', 'in', ['New', 'Triage', 'Contained']] as const

const PRIVACY_OPEN = [
  'status',
  'in',
  ['received', 'awaiting_verification', 'open', 'in_progress', 'ready'],
] as const

export const WAITING = {
  unanswered: [UNANSWERED],
  callbacks: [IS_OPEN, ['callbackAt', 'empty', false]],
  incidents: [UNSETTLED],
  links: [['link', 'eq', 'asked']],
} as const

/** The desk's counters. Each is a list filter, so number and list always agree. */
export const COUNTERS: Counter[] = [
  { label: counted.unanswered, address: list('tickets', { all: WAITING.unanswered }) },
  {
    label: counted.overdue,
    address: list('tickets', { all: [IS_OPEN, ['dueAt', 'lt', '@now']] }),
    kind: 'danger',
  },
  {
    label: counted.callbacks,
    address: list('tickets', { all: WAITING.callbacks }),
  },
  {
    label: counted.incidents,
    address: list('incidents', { all: WAITING.incidents }),
  },
  {
    label: counted.breaches,
    address: list('incidents', {
      all: [UNSETTLED, ['notifyBy', 'empty', false], ['notifiedAt', 'empty', true]],
    }),
    kind: 'danger',
  },
  {
    label: counted.contracts,
    address: list('contracts', {
      all: [
        ['endOn', 'gte', '@today'],
        ['endOn', 'lte', '@today+60d'],
        // Excludes contracts that renew automatically or are already terminated.
        ['autoRenew', 'eq', false],
        ['status', 'eq', 'active'],
      ],
    }),
    kind: 'warning',
  },
  {
    label: counted.warranties,
    address: list('assets', {
      all: [
        ['warrantyUntil', 'gte', '@today'],
        ['warrantyUntil', 'lte', '@today+60d'],
      ],
    }),
    kind: 'warning',
  },
  {
    label: counted.links,
    address: list('accounts', { all: WAITING.links }),
  },
  {
    label: counted.contactDiffers,
    address: list('tickets', { all: [['contactDiffers', 'eq', true]] }),
    kind: 'warning',
  },
  {
    label: counted.privacyOpen,
    address: list('privacyrequests', { all: [PRIVACY_OPEN] }),
    kind: 'warning',
    access: 'owner',
  },
  {
    label: counted.privacyOverdue,
    address: list('privacyrequests', { all: [PRIVACY_OPEN, ['dueOn', 'lt', '@today']] }),
    kind: 'danger',
    access: 'owner',
  },
]

/** Waiting times: bars of the chart, each linked to its list. */
export const AGES: { label: string; address: string }[] = [
  {
    label: ages.hours,
    address: list('tickets', { all: [UNANSWERED, ['openedAt', 'gte', '@now-4h']] }),
  },
  {
    label: ages.day,
    address: list('tickets', {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-4h'], ['openedAt', 'gte', '@now-24h']],
    }),
  },
  {
    label: ages.days,
    address: list('tickets', {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-24h'], ['openedAt', 'gte', '@now-72h']],
    }),
  },
  {
    label: ages.longer,
    address: list('tickets', { all: [UNANSWERED, ['openedAt', 'lt', '@now-72h']] }),
  },
]
