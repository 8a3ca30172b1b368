import { owner, site } from '#base/site.ts'

export const contactMessages = {
  title: 'Contact',
  lead: 'Tell us what’s happening and when you need it sorted.',
  leadSignedOut: 'You’ll be asked to sign in or register before it is sent.',
  type: 'Contact type',
  allRequired: 'All fields are required.',
  send: 'Send message',
  sending: 'Sending...',
  sent: 'Your message has been sent!',
  sentNext: (number: number) =>
    `Your reference is #${number}. We’ll reply within ${site.responseHours} hours.`,
  sentNextEmailed: (number: number) =>
    `Your reference is #${number}. We’ve emailed you a confirmation and will reply within ${site.responseHours} hours.`,
  viewRequest: 'View your request',
  back: 'You’re signed in. Check your message, then send it.',
  notSent: 'Your message wasn’t sent.',
  kept: `Nothing you typed is lost: try again, or email ${owner.email}.`,
  needsScripts:
    'Sending this form needs JavaScript and a client account. You can also reach us by email:',
  notSentPage: {
    title: 'Message not sent',
    detail: 'Sending this form needs JavaScript and a client account, so nothing was sent.',
    next: 'Go back: what you typed is still there. You can also email it to us:',
  },
  signInNeeded: {
    title: 'Authentication Required',
    body: 'To complete this action, please sign in or register as a client.',
  },
}

/** What each type is for; the values are the record's. */
export const CONTACT_TYPES = [
  { value: 'Query', label: 'Query', help: 'Questions about services, scope or pricing.' },
  {
    value: 'Callback',
    label: 'Callback Request',
    help: 'Include your phone number and two times that suit you.',
  },
  {
    value: 'Report',
    label: 'Client Report',
    help: 'Something is wrong on a system we run. Include the time you noticed it.',
  },
]

export const CONTACT_FIELDS = [
  { name: 'fullName', label: 'Full name', type: 'text', required: true, autocomplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', required: true, autocomplete: 'email' },
  { name: 'subject', label: 'Subject', type: 'text', required: true, isWide: true },
  {
    name: 'message',
    label: 'Message',
    type: 'textarea',
    required: true,
    help: 'Leave out passwords, keys and other people’s personal data.',
  },
]

export const personalData = {
  title: 'Personal data',
  before: 'For requests about your data, use the ',
  link: 'Privacy Inquiry Form',
  after: '. We reply within 30 days.',
}
