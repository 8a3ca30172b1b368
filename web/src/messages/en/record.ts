import { inSentence } from './in-sentence.ts'

/** Shared by record lists and record pages. */
export const recordMessages = {
  noForm: 'The server has no form for these records.',
  formatting: 'the text formatting',
  files: 'the files',
  copied: 'Copied.',
  copyFailed: 'Couldn’t copy: your browser blocked it.',
  edit: 'Edit',
  history: 'History',
  deleteNow: { withTrash: 'Move to trash', withoutTrash: 'Delete now' },
  deleteNowQuestion: (x: string) => `Delete ${x}?`,
  inTrash: (day: string) =>
    `This record is in the trash. It will be permanently deleted on ${day} unless someone restores it.`,
  restore: 'Restore',
  restored: (x: string) => `${x} restored.`,
  purge: 'Delete permanently',
  trashKept: 'It will move to the trash. You can restore it for 30 days.',

  backToList: (title: string) => `Back to ${title}`,
  keepRecord: 'Keep record',
  deleteWarning: 'You may not be able to get this record back.',
  editTitle: (name: string) => `Edit ${inSentence(name)}`,
  yes: 'Yes',
  no: 'No',
  empty: 'empty',
  createShort: 'Create',
  viewPage: 'View page',
}
