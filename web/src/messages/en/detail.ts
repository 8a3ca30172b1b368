import { formatCount, formatList, formatNumber, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

const LEVELS = {
  public: 'everyone',
  user: 'signed-in users with access',
  admin: 'staff',
  owner: 'owners',
}

/** `View`, `Edit and delete`. */
const actionList = (actions: string[]) =>
  formatList(actions.map((action, place) => (place === 0 ? action : inSentence(action))))

export const detailMessages = {
  aside: 'Details',
  activity: 'Activity',
  older: 'Older',
  noteBy: (name: string) => `${name} noted`,
  messageBy: (name: string) => `${name} wrote`,
  sections: 'Sections',
  emptyFields: (count: number) =>
    plural(count, { one: '1 empty field', other: `${formatNumber(count)} empty fields` }),
  add: 'Add',
  count: formatCount,
  /** `4 open`: the label belongs to the model's definition. */
  counted: (count: number, exact: boolean, label: string) =>
    `${formatCount(count, exact)} ${label}`,
  allOf: (count: number, exact: boolean, title: string) =>
    `All ${formatCount(count, exact)} ${inSentence(title)}`,
  noneYet: (title: string) => `No ${inSentence(title)} yet.`,
  id: 'ID',
  copyId: 'Copy ID',
  /** For owners: who read what only staff see of it. */
  whoRead: 'Who read it',
  copyLink: 'Copy link',
  model: 'Record type',
  access: 'Who can',
  created: 'Created',
  changed: 'Last updated',
  /** `<time>` marks where the time goes. */
  by: (name: string) => `<time></time> by ${name}`,
  byYou: '<time></time> by you',
  view: 'View',
  delete: 'Delete',
  accessOf: (actions: string[], level: keyof typeof LEVELS) =>
    `${actionList(actions)}: ${LEVELS[level]}`,
  nobody: (actions: string[]) => `${actionList(actions)}: nobody`,
  previousRecord: 'Previous record',
  nextRecord: 'Next record',
  /** When one model links here through two fields. */
  relatedBy: (title: string, label: string) => `${title}: ${inSentence(label)}`,
  all: (count: number, exact: boolean) => `View all ${formatCount(count, exact)}`,
  /** Completes “Couldn’t load” in a sentence. */
  theseRecords: 'these records',
  theActivity: 'the activity',
  relatedRecords: 'the related records',
  quickEdits: 'inline editing',
  neighbours: 'the previous and next records',
  save: 'Save',
  quickEdit: (label: string) => `Edit ${label}`,
}
