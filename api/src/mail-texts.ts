import type { InquirySubject, SiteConfig } from '@gatehouse/model'
import { longDate } from './site.ts'

/** What each kind of mail is told; no names, so that nothing personal but the address waits in the outbox. */
export type MailData = {
  'request-received': { reference: string; kind: InquirySubject; dueOn: string }
}
export type MailKind = keyof MailData

type Text = { subject: string; text: string }

/** Every mail this product sends, in words. */
export const MAIL_TEXTS: { [K in MailKind]: (data: MailData[K], config: SiteConfig) => Text } = {
  'request-received': ({ reference, kind, dueOn }, { site, controller }) => ({
    subject: `Your privacy request ${reference}`,
    text: lines(
      `We have received your privacy request.`,
      `Reference: ${reference}\nSubject: ${SUBJECTS[kind]}\nAnswer due by: ${longDate(dueOn)}`,
      `We answer at this address. Please keep the reference and name it when you write to us about this request.`,
      `If you did not send this request, tell us at ${controller.privacyEmail}.`,
      `${controller.name}\n${controller.address}\n${site.url}/privacy`,
    ),
  }),
}

const SUBJECTS: Record<InquirySubject, string> = {
  access: 'Access to your data',
  deletion: 'Deletion of your data',
  complaint: 'Complaint',
  other: 'Other',
}

const lines = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`
