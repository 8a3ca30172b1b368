import type { InquirySubject } from '@gatehouse/model'
import { privacyrequests } from '@gatehouse/model/models'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs, type Mail } from '#platform/outbox.ts'
import { longDate } from '#platform/site-config.ts'

/** `requestId` is missing in what an older release has promised. */
type Received = { requestId?: string; reference: string; kind: InquirySubject; dueOn: string }
type Opened = Received & { requestId: string }

const ABOUT_REQUEST = recordIn(privacyrequests, { id: 'requestId', reference: 'reference' })

/** They tell what they were told: a request is answered by its reference, whatever becomes of the record. */
export const privacyMails: {
  'request-received': Mail<Received, Received>
  'privacy-request-opened': Mail<Opened, Opened>
} = {
  'request-received': {
    about: ABOUT_REQUEST,
    confirms: 'privacy',
    facts: async (_db, { data }) => data,
    text: ({ reference, kind, dueOn }, { site, controller }) => ({
      subject: `Your privacy request ${reference}`,
      text: paragraphs(
        `We have received your privacy request.`,
        `Reference: ${reference}\nSubject: ${SUBJECTS[kind]}\nAnswer due by: ${longDate(dueOn)}`,
        `We answer at this address. Please keep the reference and name it when you write to us about this request.`,
        `If you did not send this request, tell us at ${controller.privacyEmail}.`,
        `${controller.name}\n${controller.address}\n${site.url}/privacy`,
      ),
    }),
  },

  // Neither name nor text: what a person asks about their data is read where it is guarded.
  'privacy-request-opened': {
    about: ABOUT_REQUEST,
    facts: async (_db, { data }) => data,
    text: ({ requestId, reference, kind, dueOn }, { site }) => ({
      subject: `Privacy request ${reference}: ${kind}, due ${longDate(dueOn)}`,
      text: paragraphs(`Open it: ${site.url}/privacyrequests/${requestId}`),
    }),
  },
}

const SUBJECTS: Record<InquirySubject, string> = {
  access: 'Access to your data',
  deletion: 'Deletion of your data',
  complaint: 'Complaint',
  other: 'Other',
}
