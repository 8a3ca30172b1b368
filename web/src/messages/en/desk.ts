import type { Condition, Filter } from '@gatehouse/model'

export const deskMessages = {
  title: 'Desk',
  system: 'How the system is',
  lead: 'What is waiting, oldest first. Every number leads to the list it counts.',
  next: 'Reply next',
  nextEmpty: 'You’re up to date. No ticket is waiting for a reply.',
  due: 'due',
  age: 'Unanswered by age',
  callbacks: 'Callbacks agreed',
  callbacksEmpty: 'No callback is agreed.',
  incidents: 'Open incidents',
  clock: '72-hour clock',
  incidentsEmpty: 'No incident is open.',
  links: 'Access requests',
  linksEmpty: 'No access requests.',
  accessFor: (name: string) => `access for ${name}`,
  numbers: 'Numbers',
  everything: 'everything on this page',
  failed: 'This number can not be had right now.',
  more: (count: number) => `${count.toLocaleString('en')}+`,
}

/** How an access request is decided: by an action of the account. */
export const DECISIONS = {
  approve: {
    label: 'Approve',
    done: (name: string) => `${name} now has access.`,
    failed: (name: string) => `The request from ${name} wasn’t approved.`,
  },
  refuse: {
    label: 'Decline',
    done: (name: string) => `Request from ${name} declined.`,
    failed: (name: string) => `The request from ${name} wasn’t declined.`,
  },
}

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

/** What the desk counts. Each is a filter of the generic list, so that the number and the list can not differ. */
export const COUNTED: Counted[] = [
  { label: 'Unanswered', path: 'tickets', filter: WAITING.unanswered },
  {
    label: 'Past their time',
    path: 'tickets',
    filter: { all: [NOT_OVER, ['dueAt', 'lt', '@now']] },
    kind: 'danger',
  },
  {
    label: 'Callbacks to make',
    path: 'tickets',
    filter: WAITING.callbacks,
  },
  {
    label: 'Open incidents',
    path: 'incidents',
    filter: WAITING.incidents,
  },
  {
    label: 'Breaches to report',
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
    label: 'Contracts ending in 60 days',
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
    label: 'Warranties ending in 60 days',
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
    label: 'Links to approve',
    path: 'accounts',
    filter: WAITING.links,
  },
  {
    label: 'Open privacy requests',
    path: 'privacyrequests',
    filter: { all: [PRIVACY_OPEN] },
    kind: 'warning',
  },
  {
    label: 'Overdue privacy requests',
    path: 'privacyrequests',
    filter: { all: [PRIVACY_OPEN, ['dueOn', 'lt', '@today']] },
    kind: 'danger',
  },
]

/** How long people have been waiting: bars of a small plot, and lists again. */
export const AGES: { label: string; filter: Filter }[] = [
  { label: 'under 4 hours', filter: { all: [UNANSWERED, ['openedAt', 'gte', '@now-4h']] } },
  {
    label: '4 to 24 hours',
    filter: {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-4h'], ['openedAt', 'gte', '@now-24h']],
    },
  },
  {
    label: '1 to 3 days',
    filter: {
      all: [UNANSWERED, ['openedAt', 'lt', '@now-24h'], ['openedAt', 'gte', '@now-72h']],
    },
  },
  { label: 'over 3 days', filter: { all: [UNANSWERED, ['openedAt', 'lt', '@now-72h']] } },
]
