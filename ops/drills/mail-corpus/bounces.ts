import {
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildPicture,
  CRLF,
  seededBytes,
  toCrlf,
} from './build-email.ts'
import {
  BOUNCE,
  buildOurEmail,
  buildOurHead,
  buildRecipientStatus,
  buildReport,
  buildReportHead,
  buildStatus,
  joinLines,
  NO_DMARC,
  RECIPIENT,
} from './delivery-report.ts'
import { DESK, OUR_MESSAGE_ID, RETURN_PATH, type CorpusEmail } from './expected.ts'
import { OUR_ANSWER } from './reply-text.ts'

export const BOUNCES: CorpusEmail[] = [
  {
    name: 'Postfix: address unknown, with our complete email',
    raw: (context) =>
      buildEmail(
        { ...buildReportHead(context), more: ['Auto-Submitted: auto-replied'] },
        buildReport([
          buildPart('I am sorry to have to inform you that your message could not be delivered.'),
          buildRecipientStatus('failed', '5.1.1', '550 5.1.1 User unknown'),
          buildOurEmail(context.messageId),
        ]),
      ),
    expected: { ...BOUNCE, words: ['your message could not be delivered.'] },
  },
  {
    name: 'Postfix: delayed, will be tried again, with the head of our email',
    raw: (context) =>
      buildEmail(
        {
          ...buildReportHead(context),
          subject: 'Delayed Mail (still being retried)',
          more: ['Auto-Submitted: auto-replied'],
        },
        buildReport([
          buildPart('You do not need to resend your message.'),
          buildRecipientStatus('delayed', '4.4.1', 'connect to client.example: timed out'),
          buildPart(buildOurHead(context.messageId), { type: 'text/rfc822-headers' }),
        ]),
      ),
    expected: {
      ...BOUNCE,
      subject: 'Delayed Mail (still being retried)',
      words: ['You do not need to resend your message.'],
      kind: 'bounce-temporary',
    },
  },
  {
    name: 'Exchange: undeliverable, as HTML with a reference to our email, sent to the desk',
    raw: ({ messageId }) =>
      buildEmail(
        {
          returnPath: '',
          results: NO_DMARC,
          from: 'Microsoft Outlook <MicrosoftExchange329e71ec@client.example>',
          subject: 'Undeliverable: Gate',
          more: [
            `In-Reply-To: <${messageId}>`,
            `References: <${messageId}>`,
            'X-MS-Exchange-Message-Is-Ndr:',
          ],
        },
        buildReport([
          buildMultipart('alternative', [
            buildPart(`Your message to ${RECIPIENT} couldn't be delivered.`),
            buildHtmlPart(`<p>Your message to <b>${RECIPIENT}</b> couldn't be delivered.</p>`),
          ]),
          buildStatus(
            `Final-Recipient: rfc822;${RECIPIENT}`,
            'Action: failed',
            'Status: 5.1.10',
            'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound',
          ),
          buildOurEmail(messageId),
        ]),
      ),
    expected: {
      ...BOUNCE,
      from: 'microsoftexchange329e71ec@client.example',
      fromName: 'Microsoft Outlook',
      subject: 'Undeliverable: Gate',
      words: ["couldn't be delivered."],
      bounce: { messageId: OUR_MESSAGE_ID, recipient: RECIPIENT },
      references: [OUR_MESSAGE_ID],
      recipients: [DESK],
    },
  },
  {
    name: 'Gmail: address not found, as HTML with a picture',
    raw: (context) =>
      buildEmail(
        {
          ...buildReportHead(context),
          from: 'Mail Delivery Subsystem <mailer-daemon@gmail.example>',
          subject: 'Delivery Status Notification (Failure)',
          more: [
            `X-Failed-Recipients: ${RECIPIENT}`,
            'Auto-Submitted: auto-replied',
            `In-Reply-To: <${context.messageId}>`,
          ],
        },
        buildReport([
          buildMultipart('related', [
            buildMultipart('alternative', [
              buildPart('** Address not found **\r\n\r\nYour message was not delivered.'),
              buildHtmlPart('<h3>Address not found</h3><p>Your message was not delivered.</p>'),
            ]),
            buildPicture('icon.png', 'icon.png', seededBytes('icon', 900)),
          ]),
          buildRecipientStatus('failed', '5.1.1', '550-5.1.1 The account does not exist.'),
          buildOurEmail(context.messageId),
        ]),
      ),
    expected: {
      ...BOUNCE,
      from: 'mailer-daemon@gmail.example',
      fromName: 'Mail Delivery Subsystem',
      subject: 'Delivery Status Notification (Failure)',
      words: ['Your message was not delivered.'],
      references: [OUR_MESSAGE_ID],
    },
  },
  {
    name: 'qmail: failure notice of plain text with our email below',
    raw: (context) =>
      buildEmail(
        {
          ...buildReportHead(context),
          from: 'MAILER-DAEMON@mx.client.example',
          subject: 'failure notice',
        },
        buildPart(
          joinLines(
            'Hi. This is the qmail-send program at mx.client.example.',
            "I'm afraid I wasn't able to deliver your message to the following addresses.",
            "This is a permanent error; I've given up. Sorry it didn't work out.",
            '',
            `<${RECIPIENT}>:`,
            'Sorry, no mailbox here by that name. (#5.1.1)',
            '',
            '--- Below this line is a copy of the message.',
            '',
            `Return-Path: <${context.returnPath}>`,
            `${buildOurHead(context.messageId)}${CRLF}${toCrlf(OUR_ANSWER)}`,
          ),
        ),
      ),
    expected: {
      ...BOUNCE,
      fromName: /^(MAILER-DAEMON@mx\.client\.example)?$/i,
      subject: 'failure notice',
      words: ["I wasn't able to deliver your message"],
      bounce: { messageId: OUR_MESSAGE_ID, returnPath: RETURN_PATH },
      why: 'The recipient is known by the id; only text of this program states it.',
    },
  },
  {
    name: 'a report without any of our email, known by the return path alone',
    raw: (context) =>
      buildEmail(
        { ...buildReportHead(context), subject: 'Mail failure' },
        buildReport([
          buildPart('The mailbox is full.'),
          buildRecipientStatus('failed', '5.2.2 (mailbox full)', '552 5.2.2 Over quota'),
        ]),
      ),
    expected: {
      ...BOUNCE,
      subject: 'Mail failure',
      words: ['The mailbox is full.'],
      bounce: { returnPath: RETURN_PATH, recipient: RECIPIENT },
    },
  },
]
