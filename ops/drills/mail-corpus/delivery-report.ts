import { buildMultipart, buildPart, CRLF, toCrlf, type HeadOptions } from './build-email.ts'
import {
  DESK,
  OUR_MESSAGE_ID,
  PERSON,
  RETURN_PATH,
  type CorpusContext,
  type Expected,
} from './expected.ts'
import { OUR_ANSWER } from './reply-text.ts'

export const RECIPIENT = 'erika@client.example'
export const NO_DMARC = 'mx.desk.example; dmarc=none header.from=mx.client.example'

export const BOUNCE: Expected = {
  ...PERSON,
  from: 'mailer-daemon@mx.client.example',
  fromName: 'Mail Delivery System',
  subject: 'Undelivered Mail Returned to Sender',
  mayHaveMoreFiles: true,
  kind: 'bounce-permanent',
  bounce: { messageId: OUR_MESSAGE_ID, returnPath: RETURN_PATH, recipient: RECIPIENT },
  recipients: [RETURN_PATH],
  isProven: false,
}

export const joinLines = (...all: string[]) => [...all, ''].join(CRLF)

export const buildReportHead = ({
  returnPath,
}: Pick<CorpusContext, 'returnPath'>): HeadOptions => ({
  returnPath: '',
  deliveredTo: returnPath,
  results: NO_DMARC,
  from: 'Mail Delivery System <MAILER-DAEMON@mx.client.example>',
  to: returnPath,
  subject: 'Undelivered Mail Returned to Sender',
})

export const buildOurHead = (messageId: string) =>
  joinLines(
    `From: Gatehouse Desk <${DESK}>`,
    `To: ${RECIPIENT}`,
    'Subject: Gate',
    `Message-ID: <${messageId}>`,
  )

export const buildOurEmail = (messageId: string) =>
  buildPart(`${buildOurHead(messageId)}${CRLF}${toCrlf(OUR_ANSWER)}`, { type: 'message/rfc822' })

export const buildStatus = (...fields: string[]) =>
  buildPart(joinLines('Reporting-MTA: dns; mx.client.example', '', ...fields), {
    type: 'message/delivery-status',
    encoding: '7bit',
  })

export const buildRecipientStatus = (action: string, status: string, code: string) =>
  buildStatus(
    `Final-Recipient: rfc822; ${RECIPIENT}`,
    `Original-Recipient: rfc822;${RECIPIENT}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${code}`,
  )

export const buildReport = (parts: Buffer[]) =>
  buildMultipart('report', parts, { parameters: '; report-type=delivery-status' })
