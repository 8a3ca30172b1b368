import { formatList, formatNumber, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

/** The palette and the shortcut sheet. */
export const paletteMessages = {
  title: 'Search or jump to',
  input: 'Search pages, records and actions',
  results: 'Results',
  recent: 'Recent',
  records: 'Records',
  do: 'Do',
  goTo: 'Go to',

  searching: 'Searching…',
  loadingRecent: 'Loading your recent records…',
  searchHint: (least: number) => `Type at least ${formatNumber(least)} characters to find records.`,
  noRecords: 'No records match.',
  noMatch: 'No matches.',
  searchFailed: 'Couldn’t search the records. Try again.',
  recentFailed: 'Couldn’t load your recent records. Try again.',
  slow: (titles: string[]) => `${formatList(titles)} took too long to search and may have more.`,
  found: (count: number) =>
    plural(count, { one: '1 result', other: `${formatNumber(count)} results` }),

  /** As printed on keyboards. */
  keys: { ctrl: 'Ctrl', cmd: 'Cmd', enter: 'Enter', escape: 'Esc' },
  /** What the keys at the foot do. */
  hints: {
    choose: 'choose',
    open: 'open',
    newTab: 'new tab',
    actions: 'actions only',
    number: 'ticket number',
  },

  /** Completes “Couldn’t load” in a sentence. */
  recordActions: 'the record’s actions',
  number: (number: number) => `#${number}`,
  edit: (name: string) => `Edit ${inSentence(name)}`,
  delete: (name: string) => `Delete ${inSentence(name)}`,
  switchTheme: (mode: string) => `Switch theme to ${mode}`,
  signOut: 'Sign out',

  shortcuts: 'Keyboard shortcuts',
  everywhere: 'Everywhere',
  lists: 'Lists',
  thisSheet: 'This sheet',
  toDesk: 'Go to the desk',
  toToast: 'Jump to a message, and back',
  close: 'Close',
  searchList: 'Search this list',
  editProperty: 'Edit a property',
  saveLongText: 'Save a long text',
  saveForm: 'Save a form',
  letters: 'Single-letter shortcuts',
  lettersNote: 'Letters do nothing while you type in a field.',
}
