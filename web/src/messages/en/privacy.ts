import { INQUIRY_SUBJECTS, type InquirySubject } from '@gatehouse/model'
import { controller, site } from '#base/site.ts'

export const privacyMessages = {
  title: 'Privacy notice',
  lastUpdated: (date: string) => `Last updated ${date}`,
  version: (version: string) => `Version ${version}`,
  download: 'Download PDF',
  sections: 'Sections',
  onThisPage: 'On this page',
  form: 'Privacy Inquiry Form',
  formLead: 'We reply within 30 days, sooner if we can.',
  confirm: "I confirm that I'm making this request on my own behalf",
  confirmMissing: 'Confirm that the request is your own.',
  honeypot: 'Leave this field empty',
  send: 'Send request',
  sending: 'Sending...',
  received: (reference: string) => `Your request ${reference} was received.`,
  /** Where the server could not make a page with the reference. */
  receivedPage: 'We’ve received your request and will reply within 30 days.',
  notSentPage: 'Request not sent',
  fieldsNeedFixing: (count: number) =>
    count === 1 ? '1 field needs fixing.' : `${count} fields need fixing.`,
  goBack: `Go back: what you typed is still there. Try again, or email ${controller.privacyEmail}.`,
  /** Where the server does not answer, nobody knows whether the request has arrived. */
  unconfirmedPage: {
    title: 'Request not confirmed',
    detail:
      'We couldn’t confirm that your request arrived. Go back: what you typed is still there.',
    next: 'Send it again in a moment; it won’t count twice. You can also email us:',
  },
  notSent: 'Your request wasn’t sent.',
  kept: `Nothing you typed is lost: try again, or email ${controller.privacyEmail}.`,
}

export type Received = { reference: string; dueOn: string; isEmailed: boolean }

/** Says that we emailed only where we did. */
export function receivedText({ reference, dueOn, isEmailed }: Received) {
  const day = readableDate(dueOn)
  return isEmailed
    ? `We’ve received your request ${reference} and will reply by ${day}. We’ve emailed you the reference.`
    : `We’ve received your request ${reference} and will reply by ${day}.`
}

const readableDate = (date: string) =>
  new Intl.DateTimeFormat(site.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  )

const SUBJECT_LABELS: Record<InquirySubject, string> = {
  access: 'Access to my data',
  deletion: 'Deletion of my data',
  complaint: 'Complaint',
  other: 'Other',
}

export const INQUIRY_FIELDS = [
  { name: 'name', label: 'Name', type: 'text', required: true, autocomplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', required: true, autocomplete: 'email' },
  {
    name: 'subject',
    label: 'Subject',
    type: 'select',
    required: true,
    isWide: true,
    options: INQUIRY_SUBJECTS.map((value) => ({ value, label: SUBJECT_LABELS[value] })),
  },
  { name: 'message', label: 'Message', type: 'textarea', required: true },
]
