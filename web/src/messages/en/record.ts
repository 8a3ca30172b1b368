import { inSentence } from './in-sentence.ts'

/** The words of one record's pages: detail, history, delete, trash. */
export const recordMessages = {
  formatting: 'the formatting of this text',
  aside: 'Record',
  id: 'ID',
  copyId: 'Copy ID',
  copyLink: 'Copy link',
  copied: 'Copied.',
  copyFailed: 'The browser did not allow copying.',
  model: 'Model',
  access: 'Access',
  created: 'Created',
  changed: 'Changed',
  by: (name: string) => `by ${name}`,
  you: 'you',
  view: 'View',
  edit: 'Edit',
  delete: 'Delete',
  accessOf: (actions: string[], level: 'public' | 'user' | 'admin') =>
    `${sentence(actions)}: ${{ public: 'everyone', user: 'signed-in users', admin: 'admins' }[level]}`,
  nobody: (actions: string[]) => `${sentence(actions)}: nobody`,
  history: 'History',
  more: 'More actions',
  deleteNow: { withTrash: 'Move to trash', withoutTrash: 'Delete now' },
  deleteNowQuestion: (x: string) => `Delete ${x}?`,
  previousRecord: 'Previous record',
  nextRecord: 'Next record',
  related: (title: string, label: string) => `${title} by ${inSentence(label)}`,
  all: (count: number, exact: boolean) => `All ${count}${exact ? '' : '+'}`,
  /** What can't be loaded, inside a sentence. */
  theseRecords: 'these records',
  relatedRecords: 'the related records',
  quickEdits: 'the editing of single fields',
  neighbours: 'the previous and next record',
  save: 'Save',
  quickEdit: (label: string) => `Change ${label}`,
  inTrash: (day: string) =>
    `This record is in the trash. It will be gone for good on ${day}, unless somebody restores it.`,
  restore: 'Restore',
  restored: (model: string, x: string) => `${model} (${x}) restored Successfully`,
  purge: 'Purge',
  purging: 'Purging...',
  purgeQuestion: (x: string) => `Purge “${x}”?`,
  purgeWarning: 'The record and its history will be gone for good. This can’t be undone.',
  purgeConfirm: (x: string) => `Type ${x} to confirm`,
  purged: (model: string, x: string) => `${model} (${x}) purged Successfully`,

  depends: 'What depends on it',
  blocks: (count: string, title: string, label: string) =>
    `${title} (${count}) need it as their ${inSentence(label)}. Move or delete them first.`,
  unlinks: (count: string, title: string, label: string) =>
    `${title} (${count}) lose their ${inSentence(label)}. They stay.`,
  goesAlong: (count: string, title: string) => `${title} (${count}) go to the trash with it.`,
  looking: 'Looking it up …',
  dependsUnknown: 'It could not be looked up. What others need is still refused.',
  nothingDepends: 'No other record refers to it.',
  trashKept: 'It will move to the trash. You can restore it for 30 days.',
  back: 'Back to the record',

  historyOf: (x: string) => `History of ${x}`,
  steps: { create: 'Created', update: 'Changed', delete: 'Deleted', restore: 'Restored' } as Record<
    string,
    string
  >,
  somebody: 'somebody',
  version: (version: number) => `Version ${version}`,
  current: 'Current version',
  undo: 'Undo',
  undone: 'Undone.',
  restoreVersion: 'Restore this version',
  putBack: (label: string) => `Put back ${label}`,
  putBackShort: 'Put back',
  versionRestored: (version: number) => `Version ${version} is the current one again.`,
  fieldRestored: (label: string) => `${label} was put back.`,
  nothingRestored: 'Nothing differs from that version.',
  before: 'Before',
  after: 'After',
  noChanges: 'No field you may see was changed.',
  older: 'Show older changes',
  historyFailed: 'The history could not be loaded.',
}

const sentence = (words: string[]) =>
  words.map((word, place) => (place === 0 ? word : word.toLowerCase())).join(' and ')
