/** The sign-in page, and what can stand in its way. */
export const loginMessages = {
  storageBlocked:
    'Your browser doesn’t let this site store data, which signing in needs. Allow cookies and site data for this site, or free some space, then try again.',
  lead: 'Clients see their own records, requests and answers here. Signing in happens at our identity provider; this site never sees your password.',
  original: 'What the sign-in client said',
  tryAgain: 'You can try again.',
  needsScripts: 'Signing in needs JavaScript. Switch it on in your browser, or email us.',
}
