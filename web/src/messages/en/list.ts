import { formatCount, formatNumber, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

/** The record list: search, columns, pages. */
export const listMessages = {
  /** Completes “Couldn’t load” in a sentence. */
  parts: {
    filters: 'the filters',
    filterEditor: 'the filter editor',
    viewOptions: 'the view options',
    rowActions: 'the actions',
  },
  upTo: formatCount,
  of: (some: string, all: string) => `${some} of ${all}`,
  rows: 'Rows per page',
  /** The range is in bold; `all` is null while the total is unknown. */
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
  viewNotSaved: 'Couldn’t save this view. Try again.',

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
  noMatchFor: (text: string) => `No matches for “${text}”`,
  noMatch: 'No matches for these filters',
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
  noRight: 'Your account doesn’t have access to this list. Ask an admin if you need it.',
  noAnswer: 'The server didn’t respond. Try again in a moment.',
  notAList: 'The server’s response isn’t a list of records.',

  trash: 'Trash',
  leaveTrash: (title: string) => `Back to ${inSentence(title)}`,
  trashNote: 'Records in the trash are permanently deleted after 30 days.',
  deletedAt: 'Deleted',

  previous: 'Previous',
  next: 'Next',
  paging: 'Pagination',
  actions: 'Actions',
}
