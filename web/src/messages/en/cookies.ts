import { analytics } from '#base/site.ts'

export const cookieMessages = {
  title: 'Your Privacy Choices',
  lead: 'Choose which cookies this site may set.',
  read: 'Read the privacy notice',
  essential: 'Essential cookies',
  essentialHelp: 'Sign-in, security and this choice. Always on.',
  analytics: 'Analytics cookies',
  analyticsHelp: analytics.enabled
    ? 'Counts of pages viewed, without profiles.'
    : 'Counts of pages viewed, without profiles. No analytics are in use at present.',
  analyticsOff: 'Essential Only keeps this off. Accept All turns it on.',
  privacyControl: 'Your browser asks sites not to share data, so Analytics is off.',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
}

export const consentToasts = {
  all: { message: 'All cookies accepted', type: 'success' },
  essential: { message: 'Essential cookies only accepted', type: 'info' },
} as const
