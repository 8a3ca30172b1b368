export const historyMessages = {
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
}
