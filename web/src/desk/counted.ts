import type { Condition, Filter } from '@gatehouse/model'
import { deskMessages } from '#messages/desk.ts'

const { ages, counted } = deskMessages

type Counted = { label: string; path: string; filter: Filter; kind?: 'danger' | 'warning' }

const UNANSWERED: Condition = ['status', 'in', ['New', 'Open']]
const NOT_OVER: Condition = ['status', 'in', ['New', 'Open', 'Waiting for client']]

const PRIVACY_OPEN: Condition = [
  'status',
  'in',
  ['received', 'awaiting_verification', 'open', 'in_progress', 'ready'],
]

/** What the desk also lists, record by record. */
export const WAITING = {
  unanswered: { all: [UNANSWERED] },
  callbacks: { all: [NOT_OVER, ['callbackAt', 'empty', false]] },
  incidents: { all: [['status', 'in', ['New', 'Triage', 'Contained']]] },
  links: { all: [['link', 'eq', 'asked']] },
} satisfies Record<string, Filter>

/** What the desk counts. Each is a filter of the generic list, so that the number and the list can’t differ. */
export const COUNTED: Counted[] = [
  { label: counted.unanswered, path: 'tickets', filter: WAITING.unanswered },
  {
    label: counted.overdue,
    path: 'tickets',
    filter: { all: [NOT_OVER, ['dueAt', 'lt', '@now']] },
    kind: 'danger',
  },
  {
    label: counted.callbacks,
    path: 'tickets',
    filter: WAITING.callbacks,
  },
  {
    label: counted.incidents,
    path: 'incidents',
    filter: WAITING.incidents,
  },
  {
    label: counted.breaches,
    path: 'incidents',
    filter: {
      all: [
        ['status', 'in', ['New', 'Triage', 'Contained']],
        ['notifyBy', 'empty', false],
        ['notifiedAt', 'empty', true],
      ],
    },
    kind: 'danger',
  },
  {
    label: counted.contracts,
    path: 'contracts',
    filter: {
      all: [
        ['endOn', 'gte', '@today'],
        ['endOn', 'lte', '@today+60d'],
      ],
    },
    kind: 'warning',
  },
  {
    label: counted.warranties,
    path: 'assets',
    filter: {
      all: [
        ['warrantyUntil', 'gte', '@today'],
        ['warrantyUntil', 'lte', '@today+60d'],
      ],
    },
    kind: 'warning',
  },
  {
    label: counted.links,
    path: 'accounts',
    filter: WAITING.links,
  },
  {
    label: counted.privacyOpen,
    path: 'privacyrequests',
    filter: { all: [PRIVACY_OPEN] },
    kind: 'warning',
  },
  {
    label: counted.privacyOverdue,
    path: 'privacyrequests',
    filter: { all: [PRIVACY_OPEN, ['dueOn', 'lt', '@today']] },
    kind: 'danger',
  },
]

/** How long people have been waiting: bars of a small plot, and lists again. */
export const AGES: { label: string; filter: Filter }[] = [
  { label: ages.hours, filter: { all: [UNANSWERED, ['openedAt', 'gte', '@now-4h']] } },
  {
    label: ages.day,
    filter: {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-4h'], ['openedAt', 'gte', '@now-24h']],
    },
  },
  {
    label: ages.days,
    filter: {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-24h'], ['openedAt', 'gte', '@now-72h']],
    },
  },
  { label: ages.longer, filter: { all: [UNANSWERED, ['openedAt', 'lt', '@now-72h']] } },
]
