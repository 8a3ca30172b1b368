import { formatList, formatNumber, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

/** Record forms: inputs, the picker, drafts, conflicts. */
export const formMessages = {
  /** Completes “Couldn’t load” in a sentence. */
  parts: {
    textEditor: 'the text editor',
    picker: 'the record picker',
    files: 'the file picker',
    comparison: 'the comparison',
  },
  saveChanges: 'Save changes',
  create: 'Create',
  moreWays: 'More save options',
  saveAndStay: 'Save and keep editing',
  saveAndNew: 'Save and create another',
  unsaved: (count: number) =>
    plural(count, { one: '1 unsaved change', other: `${formatNumber(count)} unsaved changes` }),
  notSaved: 'Your changes weren’t saved.',
  /** `<fields>` is replaced by links to the fields. */
  fieldsNeedFixing: (count: number) =>
    plural(count, {
      one: '1 field needs fixing: <fields></fields>.',
      other: `${formatNumber(count)} fields need fixing: <fields></fields>.`,
    }),

  number: 'Enter a number, such as 6 or 1.5.',
  wholeNumber: 'Enter a whole number, such as 6.',
  halfTyped: (label: string) => `${label} is incomplete.`,
  /** `violation` is the API's message, without the field's name. */
  violation: (label: string, violation: string) => `${label} ${violation}.`,
  range: {
    between: (min: string, max: string) => `From ${min} to ${max}.`,
    atLeast: (min: string) => `At least ${min}.`,
    atMost: (max: string) => `At most ${max}.`,
    steps: (step: string) => `In steps of ${step}.`,
    betweenInSteps: (min: string, max: string, step: string) =>
      `From ${min} to ${max}, in steps of ${step}.`,
    atLeastInSteps: (min: string, step: string) => `At least ${min}, in steps of ${step}.`,
    atMostInSteps: (max: string, step: string) => `At most ${max}, in steps of ${step}.`,
  },
  zone: (zone: string, short: string) =>
    short && short !== zone ? `Your time zone: ${zone} (${short}).` : `Your time zone: ${zone}.`,
  left: (count: number) =>
    plural(count, { one: '1 character left', other: `${formatNumber(count)} characters left` }),
  over: (count: number) =>
    plural(count, {
      one: '1 character too many',
      other: `${formatNumber(count)} characters too many`,
    }),

  write: 'Write',
  preview: 'Preview',
  nothingToPreview: 'Nothing to preview.',
  editorOf: (label: string) => `${label}: write or preview`,
  previewOf: (label: string) => `Preview of ${label}`,

  chosenIn: (label: string) => `${label}: selected`,
  remove: (tag: string) => `Remove ${tag}`,

  searchIn: (title: string) => `Search ${inSentence(title)}`,
  searching: 'Searching…',
  noMatch: 'No matches.',
  noChoices: 'Nothing to choose from yet.',
  searchFailed: 'Couldn’t load the options. Try again.',
  matches: (count: number) =>
    plural(count, { one: '1 option', other: `${formatNumber(count)} options` }),
  loadMore: 'Load more',
  clear: (label: string) => `Clear ${label}`,
  openRelated: (name: string) => `Open ${name}`,
  createRelated: (name: string) => `Create ${inSentence(name)}…`,

  leaveTitle: 'Leave without saving?',
  unsavedKept:
    'You have unsaved changes. They stay in this tab until you close it, so you can come back and finish.',
  leave: 'Leave',
  stay: 'Stay on page',
  closeTitle: 'Close without saving?',
  closeForm: 'Close form',
  keepEditing: 'Keep editing',

  restored: 'Your unsaved changes were restored.',
  discard: 'Discard',

  mergeTitle: 'Someone else changed this record',
  mergeLead: (count: number) =>
    plural(count, {
      one: 'You both changed the same field. Choose which version to keep.',
      other: `You both changed ${formatNumber(count)} fields. Choose a version of each.`,
    }),
  mergeTheirs: (labels: string[]) => `Their other changes are kept: ${formatList(labels)}.`,
  original: 'Original',
  mine: 'Yours',
  theirs: 'Theirs',
  useMine: (label: string) => `${label}: yours`,
  useTheirs: (label: string) => `${label}: theirs`,
  chooseAll: 'Choose yours or theirs for every field, then save.',
  saveMerged: 'Save merged record',
  backToForm: 'Back to form',
}
