import { inSentence } from './in-sentence.ts'
import { site } from '#base/site.ts'

const number = (value: number) => value.toLocaleString(site.locale)
const days = (count: number) => (count === 1 ? '1 day' : `${number(count)} days`)
const hours = (count: number) => (count === 1 ? '1 hour' : `${number(count)} hours`)

/** The words of the record list. The specification's own are in texts.ts. */
export const listMessages = {
  /** What can't be loaded, inside a sentence. */
  parts: {
    filters: 'the filters',
    filterEditor: 'the filter editor',
    viewOptions: 'the view options',
  },
  number,
  upTo: (count: number, exact: boolean) => (exact ? number(count) : `${number(count)}+`),
  of: (some: string, all: string) => `${some} of ${all}`,
  rows: 'Rows',
  range: (first: number, last: number) =>
    first === last ? number(first) : `${number(first)}–${number(last)}`,
  inAll: (all: string) => ` of ${all}`,
  countExactly: 'Count exactly',

  search: (title: string) => `Search ${inSentence(title)}`,
  searchKey: '/',
  searchHint: (least: number) => `Type at least ${least} characters.`,
  filter: 'Filter',
  addFilter: 'Add a filter',
  editFilter: (words: string) => `Change filter: ${words}`,
  removeFilter: (words: string) => `Remove filter: ${words}`,
  filterField: 'Field',
  filterOperator: 'Condition',
  filterValue: 'Value',
  filterValues: 'Values',
  apply: 'Apply',
  remove: 'Remove',
  days: 'Days',
  hours: 'Hours',
  onePerLine: 'One on each line.',
  meChoice: 'Me',
  meHelp: 'Whoever looks at the list.',
  findRelated: (label: string) => `Find in ${inSentence(label)}`,
  nothingFound: 'Nothing found.',
  relatedFailed: 'These could not be loaded.',
  viewNotSaved: 'Couldn’t save this view. Try again.',
  counts: 'the counts',
  when: 'When',
  whenKinds: {
    day: 'on a day',
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
    last: 'in the last … days',
    next: 'in the next … days',
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
  anyOf: (count: number) => `any of ${number(count)}`,
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
  or: (parts: string[]) => new Intl.ListFormat(site.locale, { type: 'disjunction' }).format(parts),
  and: (parts: string[]) => new Intl.ListFormat(site.locale, { type: 'conjunction' }).format(parts),
  more: (count: number) => `${number(count)} more`,
  aGroup: 'One of',
  everything: (title: string) => `${title}, all of them.`,
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

  nothingYet: (name: string) =>
    `Nothing has been recorded here yet. The first ${inSentence(name)} you create appears in this list.`,
  nothingToRead: 'Nothing has been recorded here yet.',
  noMatchFor: (text: string) => `No match for “${text}”`,
  noMatch: 'No match for these filters',
  filtersToo: (count: number) =>
    count === 1 ? 'One filter is also on.' : `${words(count)} filters are also on.`,
  clearToSee: (all: string | null) =>
    all === null ? 'Clear them to search everything.' : `Clear them to search all ${all} records.`,
  clearSearch: 'Clear the search to see everything.',
  clearFilters: 'Clear filters',
  trashEmpty: 'The trash is empty.',

  notSignedIn: 'You are not signed in, or your sign-in has ended. Sign in to see this list.',
  noRight: 'Your account may not see this list. Ask an administrator if you need it.',
  noAnswer: 'The records service did not answer.',

  trash: 'Trash',
  leaveTrash: (title: string) => `Back to ${inSentence(title)}`,
  trashNote: 'What lies here is purged for good after 30 days.',
  deletedAt: 'Deleted',

  previous: 'Previous',
  next: 'Next',
  paging: 'Pages',
  actions: 'Actions',
}

const SMALL = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
function words(count: number) {
  return SMALL[count] ?? number(count)
}
