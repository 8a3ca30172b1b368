/** The sign-in page, and what can stand in its way. */
export const loginMessages = {
  storageBlocked:
    'Your browser doesn’t let this site store data, which signing in needs. Allow cookies and site data for this site, or free some space, then try again.',
  lead: 'Sign in to see your requests, our replies and your organisation’s records. This site never sees your password.',
  original: 'Technical details',
  tryAgain: 'Try again. If it keeps failing, contact us.',
  needsScripts: 'Signing in needs JavaScript. Switch it on in your browser, or email us.',
}
