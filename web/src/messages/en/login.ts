/** The sign-in page and its errors. */
export const loginMessages = {
  storageBlocked:
    'Your browser doesn’t let this site store data, which is needed to sign in. Allow cookies and site data for this site, or free some space, then try again.',
  lead: 'Sign in to see your requests, our replies and your organisation’s records. This site never sees your password.',
  factor: 'You’re signed in, but staff need a second factor. Sign in again to use or set up yours.',
  original: 'Technical details',
  tryAgain: 'Try again. If it keeps failing, contact us.',
  needsScripts: 'Signing in needs JavaScript. Switch it on in your browser, or email us.',
}
