import type { InquirySubject } from '@gatehouse/model'
import { privacyrequests } from '@gatehouse/model/models'
import type { Mail } from '#engine/mail-kind.ts'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'
import { formatDay } from '#platform/site-config.ts'

/** `requestId` is missing in mails queued by older releases. */
type Received = { requestId?: string; reference: string; kind: InquirySubject; dueOn: string }
type Opened = Received & { requestId: string }

const ABOUT_REQUEST = recordIn(privacyrequests, { id: 'requestId', reference: 'reference' })

/** Rendered from the queued data alone, so a mail keeps its reference even if the record is deleted. */
export const privacyMails: {
  'request-received': Mail<Received, Received>
  'privacy-request-opened': Mail<Opened, Opened>
} = {
  'request-received': {
    about: ABOUT_REQUEST,
    confirms: 'privacy',
    facts: async ({ mail }) => mail.data,
    text: ({ reference, dueOn }, config, { privacy, ...texts }) => ({
      subject: privacy.receivedSubject(reference),
      text: paragraphs(
        privacy.replyBy(formatDay(config.site, dueOn)),
        privacy.quote(reference),
        privacy.notYou(config.controller.privacyEmail),
        `${signatureOf(config, texts)}\n${config.site.url}/privacy`,
      ),
    }),
  },

  // No name or text: the request itself is only readable after signing in.
  'privacy-request-opened': {
    about: ABOUT_REQUEST,
    facts: async ({ mail }) => mail.data,
    text: ({ requestId, reference, kind, dueOn }, { site }, { privacy }) => ({
      subject: privacy.openedSubject(reference, kind, formatDay(site, dueOn)),
      text: paragraphs(privacy.open(`${site.url}/privacyrequests/${requestId}`)),
    }),
  },
}
