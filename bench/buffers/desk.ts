const OPEN = ['status', 'in', ['New', 'Open', 'Waiting for client']]
/** The desk's lists, most urgent first, with totals capped at 1,000. */
export const DESK: { what: string; path: string; sort: string; all: unknown[][] }[] = [
  {
    what: 'unanswered enquiries',
    path: 'tickets',
    sort: 'dueAt',
    all: [['status', 'in', ['New', 'Open']]],
  },
  ...[4, 24, 72].map((hours) => ({
    what: `unanswered for over ${hours} hours`,
    path: 'tickets',
    sort: 'dueAt',
    all: [
      ['status', 'in', ['New', 'Open']],
      ['openedAt', 'lt', `@now-${hours}h`],
    ],
  })),
  { what: 'overdue', path: 'tickets', sort: 'dueAt', all: [OPEN, ['dueAt', 'lt', '@now']] },
  {
    what: 'callbacks',
    path: 'tickets',
    sort: 'callbackAt',
    all: [OPEN, ['callbackAt', 'empty', false]],
  },
  {
    what: 'breaches to notify',
    path: 'incidents',
    sort: 'notifyBy',
    all: [
      ['status', 'in', ['New', 'Triage', 'Contained']],
      ['notifyBy', 'empty', false],
      ['notifiedAt', 'empty', true],
    ],
  },
  { what: 'contracts ending', path: 'contracts', sort: 'endOn', all: within60Days('endOn') },
  {
    what: 'warranties ending',
    path: 'assets',
    sort: 'warrantyUntil',
    all: within60Days('warrantyUntil'),
  },
  {
    what: 'accounts that ask for a link',
    path: 'accounts',
    sort: 'lastSeenOn',
    all: [['link', 'eq', 'asked']],
  },
  {
    what: 'overdue privacy requests',
    path: 'privacyrequests',
    sort: 'dueOn',
    all: [
      ['status', 'in', ['received', 'awaiting_verification', 'open', 'in_progress', 'ready']],
      ['dueOn', 'lt', '@today'],
    ],
  },
]

function within60Days(field: string) {
  return [
    [field, 'gte', '@today'],
    [field, 'lte', '@today+60d'],
  ]
}
