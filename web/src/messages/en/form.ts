import { inSentence } from './in-sentence.ts'

/** The words of record forms: inputs, the picker, drafts, conflicts. */
export const formMessages = {
  /** What can't be loaded, inside a sentence. */
  parts: {
    textEditor: 'the text editor',
    picker: 'the record picker',
    form: 'this form',
    comparison: 'the comparison',
  },
  saveChanges: 'Save changes',
  create: 'Create',
  moreWays: 'More options',
  saveAndStay: 'Save and stay',
  saveAndNew: 'Save and new',
  unsaved: (count: number) => (count === 1 ? '1 unsaved change' : `${count} unsaved changes`),
  fieldsNeedAChange: (count: number) =>
    count === 1 ? 'One field needs a change:' : `${count} fields need a change:`,

  number: 'Enter a number, such as 6 or 1.5.',
  wholeNumber: 'Enter a whole number, such as 6.',
  halfTyped: (label: string) => `${label} is not complete.`,
  between: (min: string, max: string) => `From ${min} to ${max}`,
  atLeast: (min: string) => `At least ${min}`,
  atMost: (max: string) => `At most ${max}`,
  inSteps: (step: string) => `in steps of ${step}`,
  zone: (zone: string, short: string) =>
    short && short !== zone ? `Your time zone: ${zone} (${short}).` : `Your time zone: ${zone}.`,
  left: (count: number) => (count === 1 ? '1 character left' : `${count} characters left`),
  over: (count: number) => (count === 1 ? '1 character too many' : `${count} characters too many`),

  write: 'Write',
  preview: 'Preview',
  nothingToPreview: 'Nothing to preview.',
  editorOf: (label: string) => `${label}: write or preview`,
  previewOf: (label: string) => `Preview of ${label}`,

  chosenIn: (label: string) => `Words of ${label}`,
  remove: (word: string) => `Remove ${word}`,

  searchIn: (title: string) => `Search ${inSentence(title)}`,
  searching: 'Searching …',
  noMatch: 'Nothing matches.',
  noChoices: 'There is nothing to choose yet.',
  searchFailed: 'The choices could not be loaded.',
  matches: (count: number) => (count === 1 ? '1 choice' : `${count} choices`),
  loadMore: 'Load more',
  clear: (label: string) => `Clear ${label}`,
  openRelated: (name: string) => `Open ${name}`,
  createRelated: (name: string) => `Create ${inSentence(name)} …`,

  leaveTitle: 'Leave without saving?',
  leaveBody:
    'Your changes are not saved. They stay in this tab and will be here when you come back, until you close it.',
  leave: 'Leave',
  stay: 'Stay here',
  discardTitle: 'Close without saving?',
  discardBody: 'What you typed here is not saved and will be gone.',
  discardClose: 'Close',
  keepTyping: 'Go on typing',

  restored: 'Your unsaved changes were restored.',
  discard: 'Discard',
  signInAgain:
    'You are not signed in, or your session has expired. Nothing you typed is lost: sign in in another tab, then save once more in this one.',
  deletedMeanwhile:
    'Somebody deleted this record meanwhile. What you typed is still here: copy what you need, or save again when the record is back.',

  undo: 'Undo',
  undone: 'Undone',

  mergeTitle: 'Somebody else changed this record too',
  mergeLead: (count: number) =>
    count === 1
      ? 'You both changed one field. Choose which of the two is saved.'
      : `You both changed ${count} fields. Choose for each which of the two is saved.`,
  mergeTheirs: (labels: string) => `Also changed by them, and kept: ${labels}.`,
  mergedTheirs: (labels: string) =>
    `Somebody else had changed this record too. Kept with yours: ${labels}.`,
  original: 'Before',
  mine: 'Yours',
  theirs: 'Theirs',
  useMine: (label: string) => `${label}: yours`,
  useTheirs: (label: string) => `${label}: theirs`,
  chooseAll: 'Choose yours or theirs for each field first.',
  saveMerged: 'Save merged',
  backToForm: 'Back to the form',

  cancel: 'Cancel',
  notSaved: 'The record was not saved.',
}
