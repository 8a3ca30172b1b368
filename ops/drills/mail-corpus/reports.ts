import { buildAttachment, buildEmail, buildMultipart, buildPart } from './build-email.ts'
import {
  BOUNCE,
  buildOurEmail,
  buildOurHead,
  buildRecipientStatus,
  buildReport,
  buildReportHead,
  joinLines,
  RECIPIENT,
} from './delivery-report.ts'
import { DESK, PERSON, REPLY_ADDRESS, type CorpusEmail } from './expected.ts'

const { bounce: _, ...REPORT } = BOUNCE

/** Reports that mark nobody as unreachable. */
export const REPORTS: CorpusEmail[] = [
  {
    name: 'a report that our email was delivered',
    raw: (context) =>
      buildEmail(
        { ...buildReportHead(context), subject: 'Successful Mail Delivery Report' },
        buildReport([
          buildPart('Your message was delivered.'),
          buildRecipientStatus('delivered', '2.0.0', '250 2.0.0 Ok'),
          buildPart(buildOurHead(context.messageId), { type: 'text/rfc822-headers' }),
        ]),
      ),
    expected: {
      ...REPORT,
      subject: 'Successful Mail Delivery Report',
      words: ['Your message was delivered.'],
      kind: 'automatic',
      why: 'Neither 4.x.x nor 5.x.x, but a report.',
    },
  },
  {
    name: 'a receipt that our email was read',
    raw: ({ messageId, replyAddress }) =>
      buildEmail(
        { deliveredTo: replyAddress, to: replyAddress, subject: 'Read: Gate' },
        buildMultipart(
          'report',
          [
            buildPart('Your message was displayed. This is no guarantee that it was understood.'),
            buildPart(
              joinLines(
                'Reporting-UA: client.example; Mailer 1.0',
                `Final-Recipient: rfc822;${RECIPIENT}`,
                `Original-Message-ID: <${messageId}>`,
                'Disposition: manual-action/MDN-sent-manually; displayed',
              ),
              { type: 'message/disposition-notification' },
            ),
          ],
          { parameters: '; report-type=disposition-notification' },
        ),
      ),
    expected: {
      ...PERSON,
      subject: 'Read: Gate',
      words: ['Your message was displayed.'],
      mayHaveMoreFiles: true,
      kind: 'automatic',
      recipients: [REPLY_ADDRESS],
    },
  },
  {
    name: 'a report about an email that was never ours',
    raw: () =>
      buildEmail(
        { ...buildReportHead({ returnPath: DESK }), more: ['Auto-Submitted: auto-replied'] },
        buildReport([
          buildPart('I am sorry to have to inform you that your message could not be delivered.'),
          buildRecipientStatus('failed', '5.1.1', '550 5.1.1 User unknown'),
          buildOurEmail(`7.42.${'a'.repeat(16)}@desk.example`),
        ]),
      ),
    expected: {
      ...REPORT,
      words: ['your message could not be delivered.'],
      kind: 'automatic',
      recipients: [DESK],
      why: 'No valid mac, so nobody may be marked as unreachable.',
    },
  },
  {
    name: 'a person who forwards a report about our email as an attachment',
    raw: (context) => {
      const forwarded = buildEmail(
        buildReportHead(context),
        buildReport([
          buildPart('The report.'),
          buildRecipientStatus('failed', '5.1.1', '550 5.1.1 User unknown'),
          buildPart(buildOurHead(context.messageId), { type: 'text/rfc822-headers' }),
        ]),
      )
      const file = buildAttachment('report.eml', forwarded)
      return buildEmail({}, buildMultipart('mixed', [buildPart('What does this mean?'), file]))
    },
    expected: { ...PERSON, words: ['What does this mean?'], files: [{ name: 'report.eml' }] },
  },
]
