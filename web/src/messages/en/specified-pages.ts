/** Also fixed by the specification: pages that are loaded lazily. */
export const specifiedPageMessages = {
  welcomeBack: 'Welcome back!',
  signedOut: "You've been signed out successfully.",
  signInErrors: {
    signinCallback: 'Sign-in failed',
    signoutCallback: 'Sign-out failed',
    renewSilent: 'Renew silent failed',
  } as Record<string, string>,
  listError: (status: number) => `Error loading list: ${status}`,
  modelError: (status: number) => `Error loading model: ${status}`,
  metadataMissing: 'Form metadata not found',
  recordMissing: 'Record not found',
  unsupportedAction: 'Unsupported action',
  noData: 'No data available',
  saving: 'Saving...',
  delete: 'Delete',
  deleting: 'Deleting...',
  created: (model: string, x: string) => `${model} (${x}) created Successfully`,
  updated: (model: string, x: string) => `${model} (${x}) updated Successfully`,
  deleted: (model: string, x: string) => `${model} (${x}) deleted Successfully`,
  deleteFailed: (model: string, x: string) => `${model} (${x}) Delete failed. Please try again.`,
  operationDone: 'operation on create/edit was successful',
  deletedDone: 'Deleted successfully',
  contact: {
    types: { Query: 'Query', Callback: 'Callback Request', Report: 'Client Report' },
    sent: 'Your message has been sent!',
    signInNeeded: {
      title: 'Authentication Required',
      body: 'To complete this action, please sign in or register as a client.',
    },
  },
  privacy: {
    download: 'Download PDF',
    form: 'Privacy Inquiry Form',
    confirm: "I confirm that I'm making this request on my own behalf",
  },
}
