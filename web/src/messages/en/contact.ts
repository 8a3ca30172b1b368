import { owner, site } from '#base/site.ts'
import { responseTime } from './response-time.ts'

export const contactMessages = {
  title: 'Contact',
  lead: 'Tell us what’s happening and when you need it sorted.',
  leadSignedOut:
    'Tell us what’s happening and when you need it sorted. You’ll be asked to sign in or register before it is sent.',
  type: 'Contact type',
  /** What each type is for; the type names are fixed by the specification. */
  help: {
    Query: 'Questions about our services, scope or prices.',
    Callback: 'Leave your phone number and a time that suits you.',
    Report: 'Something is wrong with a system we run for you. Say when you first noticed it.',
  },
  labels: {
    fullName: 'Full name',
    email: 'Email',
    phone: 'Phone',
    callbackWish: 'Good time to call',
    subject: 'Subject',
    message: 'Message',
  },
  aboutService: (name: string) => `Your message will be about our service ${name}.`,
  removeService: 'Not about it',
  messageHelp: 'Don’t include passwords, keys or other people’s personal data.',
  files: 'Photos or files',
  filesSignedOut: 'Once you’re signed in, you can attach photos and files.',
  required: 'All fields are required unless marked optional.',
  send: 'Send message',
  sending: 'Sending...',
  sentNext: (number: number) =>
    `Your reference is #${number}. We’ll reply within ${responseTime(site.responseHours)}.`,
  sentNextEmailed: (number: number) =>
    `Your reference is #${number}. We’ve emailed you a confirmation and will reply within ${responseTime(site.responseHours)}.`,
  /** Where delivery is simulated. */
  sentSimulated: `We’ll reply within ${responseTime(site.responseHours)}.`,
  viewRequest: 'View your request',
  back: 'You’re signed in. Check your message, then send it.',
  sentElsewhere: 'You’ve sent this message from another tab.',
  /** Beside the form: other ways to reach us. */
  phone: 'Phone',
  emailUs: 'Email us',
  hours: 'Opening hours',
  notSent: 'Your message wasn’t sent.',
  kept: site.phone
    ? `Nothing you typed is lost: try again, email ${owner.email} or call ${site.phone}.`
    : `Nothing you typed is lost: try again, or email ${owner.email}.`,
  /** After the email address, on a site with a phone number. */
  orCall: 'Or call us:',
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
