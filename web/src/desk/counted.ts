import { list } from '#data/records.ts'
import { deskMessages } from '#messages/desk.ts'

const { ages, counted } = deskMessages

type Counted = { label: string; address: string; kind?: 'danger' | 'warning' }

const UNANSWERED = ['status', 'in', ['New', 'Open']] as const
const NOT_OVER = ['status', 'in', ['New', 'Open', 'Waiting for client']] as const
const UNSETTLED = ['status', 'in', ['New', 'Triage', 'Contained']] as const

const PRIVACY_OPEN = [
  'status',
  'in',
  ['received', 'awaiting_verification', 'open', 'in_progress', 'ready'],
] as const

/** What the desk also lists, record by record. */
export const WAITING = {
  unanswered: [UNANSWERED],
  callbacks: [NOT_OVER, ['callbackAt', 'empty', false]],
  incidents: [UNSETTLED],
  links: [['link', 'eq', 'asked']],
} as const

/** What the desk counts. Each is a filter of the generic list, so that the number and the list can’t differ. */
export const COUNTED: Counted[] = [
  { label: counted.unanswered, address: list('tickets', { all: WAITING.unanswered }) },
  {
    label: counted.overdue,
    address: list('tickets', { all: [NOT_OVER, ['dueAt', 'lt', '@now']] }),
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
    label: counted.privacyOpen,
    address: list('privacyrequests', { all: [PRIVACY_OPEN] }),
    kind: 'warning',
  },
  {
    label: counted.privacyOverdue,
    address: list('privacyrequests', { all: [PRIVACY_OPEN, ['dueOn', 'lt', '@today']] }),
    kind: 'danger',
  },
]

/** How long people have been waiting: bars of a small plot, and lists again. */
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
