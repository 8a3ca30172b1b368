import { owner, site } from './site.ts'

export const contactTexts = {
  title: 'Contact',
  lead: 'Say what is happening and what you need by when. Messages are tied to a client account, so you will be asked to sign in before sending.',
  type: 'Type of message',
  allRequired: 'All fields are required.',
  send: 'Send message',
  sending: 'Sending...',
  sent: 'Your message has been sent!',
  sentNext: (number: number) =>
    `Your reference is #${number}; a copy comes by mail. The first answer comes within ${site.responseHours} hours.`,
  notSent: 'The message was not sent.',
  kept: `What you typed is still here. Try again, or write to ${owner.email}.`,
  needsScripts:
    'Sending this form needs JavaScript and a client account. You can also reach us by email:',
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
    help: 'Leave a number in the message and two times that suit.',
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
  before: 'Use the ',
  link: 'privacy inquiry form',
  after: '. Requests are answered within 30 days.',
}
