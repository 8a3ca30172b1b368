/** Where someone is signed in, and how. */
export const sessionMessages = {
  title: 'Your sign-in',
  lead: 'Where you’re signed in, and how. If you don’t recognise something, sign it out and choose a new password.',
  devices: 'Devices',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  other: { browser: 'Another program', system: 'another system' },
  isThis: 'This device',
  begun: (time: string) => `Signed in ${time}`,
  used: (time: string) => `Last used ${time}`,
  precision:
    'Times of use are exact to five minutes. We keep the name of your browser and system, not your address, and forget a device after 10 hours.',
  signOut: 'Sign out',
  signedOut: (device: string) => `Signed out: ${device}.`,
  signOutOthers: 'Sign out everywhere else',
  signedOutOthers: 'You’re signed out everywhere else.',
  askOthers: {
    title: 'Sign out everywhere else?',
    body: 'You stay signed in here. What is typed and not yet sent on other devices may be lost.',
  },
  away: 'We can’t ask the sign-in service right now, so nothing can be signed out. Try again in a moment.',
  factors: 'Second step',
  factorNames: {
    codes: 'codes from your phone',
    passkey: 'passkey',
    recovery: 'recovery codes',
  },
  hasFactors: (names: string) => `Set up: ${names}.`,
  noFactors: 'Not set up. With a second step, a stolen password isn’t enough to sign in as you.',
  unknownFactors: 'Shown with your ways to sign in.',
  ways: 'Change your ways to sign in',
  waysHint: 'Password, passkeys, codes from your phone and recovery codes, at the sign-in service.',
}
