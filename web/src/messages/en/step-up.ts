/** Asks someone who is signed in to confirm that it's them. */
export const stepUpMessages = {
  title: 'Confirm that it’s you',
  fresh: 'For this we need to be sure that it’s you. Sign in again to continue.',
  factor: 'Staff need a second factor for this. Sign in again to continue.',
  window: 'A new window opens for it. What you typed stays here.',
  waiting: 'Waiting for the other window…',
  failed: 'We couldn’t confirm that it’s you. Try again.',
  confirm: 'Sign in again',
  openAgain: 'Open the window again',
  cancel: 'Cancel',
}
