import { formatCount, formatList, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

const LEVELS = { public: 'everyone', user: 'signed-in users with access', admin: 'admins' }

/** `View`, `Edit and delete`. */
const actionList = (actions: string[]) =>
  formatList(actions.map((action, place) => (place === 0 ? action : inSentence(action))))

/** Records of another model that link here: how many, and what one and many of them are called. */
type Referring = { count: number; exact: boolean; name: string; title: string }

const amount = ({ count, exact, name, title }: Referring) =>
  exact && count === 1
    ? `1 ${inSentence(name)}`
    : `${formatCount(count, exact)} ${inSentence(title)}`

/** One record's pages: detail, history, delete, trash. */
export const recordMessages = {
  formatting: 'the formatting of this text',
  aside: 'Details',
  id: 'ID',
  copyId: 'Copy ID',
  copyLink: 'Copy link',
  copied: 'Copied.',
  copyFailed: 'Couldn’t copy: your browser blocked it.',
  model: 'Record type',
  access: 'Who can',
  created: 'Created',
  changed: 'Last updated',
  /** The time is the marked part. */
  by: (name: string) => `<time></time> by ${name}`,
  byYou: '<time></time> by you',
  view: 'View',
  edit: 'Edit',
  delete: 'Delete',
  accessOf: (actions: string[], level: keyof typeof LEVELS) =>
    `${actionList(actions)}: ${LEVELS[level]}`,
  nobody: (actions: string[]) => `${actionList(actions)}: nobody`,
  history: 'History',
  more: 'More actions',
  deleteNow: { withTrash: 'Move to trash', withoutTrash: 'Delete now' },
  deleteNowQuestion: (x: string) => `Delete ${x}?`,
  previousRecord: 'Previous record',
  nextRecord: 'Next record',
  related: (title: string) => title,
  /** Where one model links here by two fields. */
  relatedBy: (title: string, label: string) => `${title}: ${inSentence(label)}`,
  all: (count: number, exact: boolean) => `View all ${formatCount(count, exact)}`,
  /** What can't be loaded, inside a sentence. */
  theseRecords: 'these records',
  relatedRecords: 'the related records',
  quickEdits: 'the editing of single fields',
  neighbours: 'the previous and next record',
  save: 'Save',
  quickEdit: (label: string) => `Edit ${label}`,
  inTrash: (day: string) =>
    `This record is in the trash. It will be permanently deleted on ${day} unless someone restores it.`,
  restore: 'Restore',
  restored: (x: string) => `${x} restored.`,
  purge: 'Delete permanently',
  purging: 'Deleting permanently...',
  purgeQuestion: (x: string) => `Permanently delete “${x}”?`,
  purgeWarning: 'The record and its history will be permanently deleted. This can’t be undone.',
  purgeConfirm: (x: string) => `Type ${x} to confirm`,
  purged: (x: string) => `${x} permanently deleted.`,

  depends: 'Related records',
  blocks: (referring: Referring, label: string) =>
    plural(referring.count, {
      one: `Can’t be deleted yet: ${amount(referring)} uses it as its ${inSentence(label)}. Reassign or delete it first.`,
      other: `Can’t be deleted yet: ${amount(referring)} use it as their ${inSentence(label)}. Reassign or delete them first.`,
    }),
  unlinks: (referring: Referring, label: string) =>
    plural(referring.count, {
      one: `${amount(referring)} will lose its ${inSentence(label)}. It isn’t deleted.`,
      other: `${amount(referring)} will lose their ${inSentence(label)}. They aren’t deleted.`,
    }),
  goesAlong: (referring: Referring) => `${amount(referring)} will move to the trash too.`,
  looking: 'Checking…',
  dependsUnknown:
    'Couldn’t check for related records. If others need this one, deleting it will be refused.',
  nothingDepends: 'No other record links to this one.',
  trashKept: 'It will move to the trash. You can restore it for 30 days.',
  back: 'Back to record',

  historyOf: (x: string) => `History: ${x}`,
  /** What happened in a step: by whom, if anyone is known. */
  steps: {
    create: {
      alone: 'Created',
      byYou: 'Created by you',
      by: (name: string) => `Created by ${name}`,
    },
    update: {
      alone: 'Changed',
      byYou: 'Changed by you',
      by: (name: string) => `Changed by ${name}`,
    },
    delete: {
      alone: 'Deleted',
      byYou: 'Deleted by you',
      by: (name: string) => `Deleted by ${name}`,
    },
    restore: {
      alone: 'Restored',
      byYou: 'Restored by you',
      by: (name: string) => `Restored by ${name}`,
    },
  },
  version: (version: number) => `Version ${version}`,
  current: 'Current version',
  undo: 'Undo',
  restoreVersion: 'Restore this version',
  putBack: (label: string) => `Restore ${label}`,
  putBackShort: 'Restore',
  versionRestored: (version: number) => `Version ${version} restored.`,
  fieldRestored: (label: string) => `${label} restored.`,
  nothingRestored: 'This version is already current.',
  before: 'Before',
  after: 'After',
  noChanges: 'No changes visible to you.',
  older: 'Show older changes',
  historyFailed: 'Couldn’t load the history. Try again.',

  backToList: (title: string) => `Back to ${title}`,
  keepRecord: 'Keep record',
  deleteQuestion: (name: string) => `Delete this ${inSentence(name)}?`,
  deleteWarning: 'You may not be able to get this record back.',
  editTitle: (name: string) => `Edit ${inSentence(name)}`,
  yes: 'Yes',
  no: 'No',
  empty: 'empty',
  createShort: 'Create',
}
