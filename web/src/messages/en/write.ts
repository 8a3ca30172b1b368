import { formatList } from '#base/format.ts'

/** Shared by all writes: undo, expired session, someone else's change. */
export const writeMessages = {
  /** Completes “Couldn’t load” in a sentence. */
  parts: { form: 'this form' },
  cancel: 'Cancel',
  signInAgain:
    'Your session has expired. Nothing you typed is lost: sign in again in another tab, then save here.',
  deletedMeanwhile:
    'Someone deleted this record while you were editing. Copy what you need, or save again once it is restored.',

  undo: 'Undo',
  undone: 'Undone',
  undoneAfterEmail: 'Undone here. An email that was already sent can’t be taken back.',
  mergedTheirs: (labels: string[]) =>
    `Saved. Someone else’s changes to ${formatList(labels)} are kept too.`,
}
