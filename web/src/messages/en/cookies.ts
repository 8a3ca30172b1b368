import { analytics } from '#base/site.ts'

export const cookieMessages = {
  lead: 'Choose which cookies this site may set.',
  read: 'Read the privacy notice',
  essentialHelp: 'Needed for sign-in, security and remembering this choice. Always on.',
  analyticsHelp: analytics.enabled
    ? 'Counts page views without building profiles.'
    : 'Counts page views without building profiles. Not in use at present.',
  analyticsOff: 'Essential Only keeps this off. Accept All turns it on.',
  privacyControl: 'Your browser sends a Global Privacy Control signal, so Analytics starts off.',
}
