import { formatCount, formatList, formatNumber, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

const days = (count: number) =>
  plural(count, { one: '1 day', other: `${formatNumber(count)} days` })
const hours = (count: number) =>
  plural(count, { one: '1 hour', other: `${formatNumber(count)} hours` })

/** The record list: search, filters, columns, pages. */
export const listMessages = {
  /** What can't be loaded, inside a sentence. */
  parts: {
    filters: 'the filters',
    filterEditor: 'the filter editor',
    viewOptions: 'the view options',
  },
  upTo: formatCount,
  of: (some: string, all: string) => `${some} of ${all}`,
  rows: 'Rows per page',
  /** The range is the marked part; `all` where the total is known. */
  range: (first: number, last: number, all: string | null) => {
    const shown =
      first === last ? formatNumber(first) : `${formatNumber(first)}–${formatNumber(last)}`
    return all === null ? `<b>${shown}</b>` : `<b>${shown}</b> of ${all}`
  },
  countExactly: 'Show exact total',

  search: (title: string) => `Search ${inSentence(title)}`,
  searchKey: '/',
  searchHint: (least: number) => `Type at least ${least} characters.`,
  filter: 'Filter',
  addFilter: 'Add filter',
  editFilter: (words: string) => `Edit filter: ${words}`,
  removeFilter: (words: string) => `Remove filter: ${words}`,
  filterField: 'Field',
  filterOperator: 'Condition',
  filterValue: 'Value',
  filterValues: 'Values',
  apply: 'Apply',
  remove: 'Remove',
  days: 'Days',
  hours: 'Hours',
  onePerLine: 'One per line.',
  meChoice: 'Me',
  meHelp: 'The person viewing the list.',
  findRelated: (label: string) => `Search ${inSentence(label)}`,
  nothingFound: 'No matches.',
  relatedFailed: 'Couldn’t load these. Try again.',
  viewNotSaved: 'Couldn’t save this view. Try again.',
  counts: 'the counts',
  when: 'When',
  whenKinds: {
    day: 'on a date',
    today: 'today',
    now: 'now',
    daysAgo: 'days ago',
    daysAhead: 'days from now',
    hoursAgo: 'hours ago',
    hoursAhead: 'hours from now',
  },

  choices: {
    in: 'is any of',
    eq: 'is',
    ne: 'is not',
    contains: 'contains',
    startsWith: 'starts with',
    has: 'has',
    lt: 'less than',
    lte: 'at most',
    gt: 'more than',
    gte: 'at least',
    empty: 'is empty',
    filled: 'is not empty',
    last: 'in the last N days',
    next: 'in the next N days',
  },
  dateChoices: { lt: 'before', lte: 'on or before', gt: 'after', gte: 'on or after' },

  is: (value: string) => `is ${value}`,
  isNot: (value: string) => `is not ${value}`,
  contains: (value: string) => `contains ${value}`,
  startsWith: (value: string) => `starts with ${value}`,
  has: (value: string) => `has ${value}`,
  compared: (how: string, value: string) => `${how} ${value}`,
  isEmpty: 'is empty',
  isFilled: 'is not empty',
  anyOf: (count: number) => `any of ${formatNumber(count)}`,
  quoted: (text: string) => `“${text}”`,
  lastDays: (count: number) => `last ${days(count)}`,
  nextDays: (count: number) => `next ${days(count)}`,
  inLastDays: (count: number) => `is in the last ${days(count)}`,
  inNextDays: (count: number) => `is in the next ${days(count)}`,
  today: 'today',
  now: 'now',
  daysAgo: (count: number) => `${days(count)} ago`,
  daysAhead: (count: number) => `${days(count)} from now`,
  hoursAgo: (count: number) => `${hours(count)} ago`,
  hoursAhead: (count: number) => `${hours(count)} from now`,
  me: 'me',
  or: (parts: string[]) => formatList(parts, 'disjunction'),
  and: (parts: string[]) => formatList(parts),
  more: (count: number) => `${formatNumber(count)} more`,
  aGroup: 'Any of',
  everything: (title: string) => `All ${inSentence(title)}.`,
  sentence: (title: string, clauses: string) => `${title} where ${clauses}.`,
  searched: (text: string) => `the text contains “${text}”`,

  view: 'View',
  columns: 'Columns',
  columnUp: (label: string) => `Move ${label} up`,
  columnDown: (label: string) => `Move ${label} down`,
  columnMoved: (label: string, place: number, count: number) =>
    `${label} is now column ${place} of ${count}.`,
  resetColumns: 'Reset',
  density: 'Row height',
  comfortable: 'Comfortable',
  compact: 'Compact',
  sortBy: (label: string) => `Sort by ${label}`,

  rowActions: (name: string) => `Actions for ${name}`,
  open: 'Open',
  copyLink: 'Copy link',

  nothingYet: (title: string) =>
    `There are no ${inSentence(title)} yet. Create the first one to get started.`,
  nothingToRead: 'There is nothing here for your account. If you expected something, contact us.',
  noMatchFor: (text: string) => `No match for “${text}”`,
  noMatch: 'No match for these filters',
  filtersToo: (count: number) =>
    plural(count, {
      one: '1 filter is also applied.',
      other: `${formatNumber(count)} filters are also applied.`,
    }),
  clearToSee: (all: string | null) =>
    all === null ? 'Clear them to search everything.' : `Clear them to search all ${all} records.`,
  clearSearch: 'Clear the search to see everything.',
  clearFilters: 'Clear all',
  trashEmpty: 'The trash is empty.',

  notSignedIn: 'You’re not signed in, or your session has expired. Sign in to see this list.',
  noRight: 'Your account can’t see this list. Ask an admin if you need access.',
  noAnswer: 'The server didn’t respond. Try again in a moment.',

  trash: 'Trash',
  leaveTrash: (title: string) => `Back to ${inSentence(title)}`,
  trashNote: 'Records in the trash are permanently deleted after 30 days.',
  deletedAt: 'Deleted',

  previous: 'Previous',
  next: 'Next',
  paging: 'Pagination',
  actions: 'Actions',
}
