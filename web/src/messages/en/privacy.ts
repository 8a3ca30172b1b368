import { formatNumber, plural } from '#base/format.ts'
import { controller } from '#base/site.ts'

export const privacyMessages = {
  title: 'Privacy notice',
  lastUpdated: (date: string) => `Last updated ${date}`,
  version: (version: string) => `Version ${version}`,
  manifest: 'manifest',
  sections: 'Sections',
  onThisPage: 'On this page',
  formLead: 'We reply within 30 days, sooner if we can.',
  labels: { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' },
  subjects: {
    access: 'Access to my data',
    deletion: 'Deletion of my data',
    complaint: 'Complaint',
    other: 'Other',
  },
  confirmMissing: 'Confirm that you’re making this request on your own behalf.',
  honeypot: 'Leave this field empty',
  send: 'Send request',
  sending: 'Sending...',
  received: (reference: string) => `We’ve received your request ${reference}.`,
  receivedNext: (reference: string, dueOn: string) =>
    `We’ve received your request ${reference} and will reply by ${dueOn}.`,
  receivedNextEmailed: (reference: string, dueOn: string) =>
    `We’ve received your request ${reference} and will reply by ${dueOn}. We’ve emailed you the reference.`,
  /** Fallback when the server couldn't render a page with the reference. */
  receivedPage: 'We’ve received your request and will reply within 30 days.',
  notSentPage: 'Request not sent',
  fieldsNeedFixing: (count: number) =>
    plural(count, {
      one: '1 field needs fixing.',
      other: `${formatNumber(count)} fields need fixing.`,
    }),
  goBack: `Go back: what you typed is still there. Try again, or email ${controller.privacyEmail}.`,
  /** Without a response from the server, we can't tell whether the request arrived. */
  unconfirmedPage: {
    title: 'Request not confirmed',
    detail:
      'We couldn’t confirm that your request arrived. Go back: what you typed is still there.',
    next: `Send it again in a moment; it won’t be counted twice. You can also email us: <link>${controller.privacyEmail}</link>`,
  },
  notSent: 'Your request wasn’t sent.',
  kept: `Nothing you typed is lost: try again, or email ${controller.privacyEmail}.`,
}
