import { formatCount, formatList } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

const LEVELS = { public: 'everyone', user: 'signed-in users with access', admin: 'admins' }

/** `View`, `Edit and delete`. */
const actionList = (actions: string[]) =>
  formatList(actions.map((action, place) => (place === 0 ? action : inSentence(action))))

/** The page of one record. */
export const detailMessages = {
  aside: 'Details',
  id: 'ID',
  copyId: 'Copy ID',
  copyLink: 'Copy link',
  model: 'Record type',
  access: 'Who can',
  created: 'Created',
  changed: 'Last updated',
  /** The time is the marked part. */
  by: (name: string) => `<time></time> by ${name}`,
  byYou: '<time></time> by you',
  view: 'View',
  delete: 'Delete',
  accessOf: (actions: string[], level: keyof typeof LEVELS) =>
    `${actionList(actions)}: ${LEVELS[level]}`,
  nobody: (actions: string[]) => `${actionList(actions)}: nobody`,
  previousRecord: 'Previous record',
  nextRecord: 'Next record',
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
}
