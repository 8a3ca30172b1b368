import { owner, site } from '#base/site.ts'

export const contactMessages = {
  title: 'Contact',
  lead: 'Tell us what’s happening and when you need it sorted.',
  leadSignedOut:
    'Tell us what’s happening and when you need it sorted. You’ll be asked to sign in or register before it is sent.',
  type: 'Contact type',
  /** What each type is for; the type names are fixed by the specification. */
  help: {
    Query: 'Questions about our services, scope or prices.',
    Callback: 'Include your phone number and two times that suit you.',
    Report: 'Something is wrong with a system we run for you. Say when you first noticed it.',
  },
  labels: { fullName: 'Full name', email: 'Email', subject: 'Subject', message: 'Message' },
  messageHelp: 'Don’t include passwords, keys or other people’s personal data.',
  allRequired: 'All fields are required.',
  send: 'Send message',
  sending: 'Sending...',
  sentNext: (number: number) =>
    `Your reference is #${number}. We’ll reply within ${site.responseHours} hours.`,
  sentNextEmailed: (number: number) =>
    `Your reference is #${number}. We’ve emailed you a confirmation and will reply within ${site.responseHours} hours.`,
  viewRequest: 'View your request',
  back: 'You’re signed in. Check your message, then send it.',
  sentElsewhere: 'You’ve sent this message from another tab.',
  notSent: 'Your message wasn’t sent.',
  kept: `Nothing you typed is lost: try again, or email ${owner.email}.`,
  needsScripts: `Sending this form needs JavaScript and a client account. You can also reach us by email: <link>${owner.email}</link>`,
  notSentPage: {
    title: 'Message not sent',
    detail: 'Sending this form needs JavaScript and a client account, so nothing was sent.',
    next: `Go back: what you typed is still there. You can also email it to us: <link>${owner.email}</link>`,
  },
  personalData: {
    title: 'Personal data',
    text: 'For requests about your data, use the <link>Privacy Inquiry Form</link>. We reply within 30 days.',
  },
}
