import { buildEmail, buildPart, toCrlf, type Content, type HeadOptions } from './build-email.ts'
import {
  OUR_MESSAGE_ID,
  PERSON,
  REPLY_ADDRESS,
  type CorpusEmail,
  type Expected,
} from './expected.ts'

/** An answer of the desk, as it went out. */
export const OUR_ANSWER = [
  'We have answered your request #42, Gate:',
  '',
  'Please switch the controller off and on and tell us which lamp is lit.',
  '',
  'Read everything and answer here:',
  'https://desk.example/requests/42',
  '',
  'Gatehouse Ltd',
  '1 Main Street, Dublin',
].join('\n')

export const OUR_WORDS = [
  'switch the controller off and on',
  'which lamp is lit',
  'desk.example/requests/42',
]

export const ANSWER = 'The green lamp is lit now.\n\nThanks\nErika'
export const ANSWER_WORDS = ['The green lamp is lit now.', 'Thanks', 'Erika']

/** As `REPLY_HEAD` sends it. */
export const REPLY: Expected = {
  ...PERSON,
  subject: 'Re: Gate',
  references: [OUR_MESSAGE_ID],
  recipients: [REPLY_ADDRESS],
}

export const quoteLines = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** A reply to the address of the ticket that refers to our email. */
export const buildReply =
  (body: Content, options: HeadOptions = {}): CorpusEmail['raw'] =>
  ({ replyAddress, messageId }) =>
    buildEmail(
      {
        deliveredTo: replyAddress,
        to: replyAddress,
        subject: 'Re: Gate',
        ...options,
        more: [
          `In-Reply-To: <${messageId}>`,
          `References: <${messageId}>`,
          ...(options.more ?? []),
        ],
      },
      body,
    )

/** A reply of plain text in UTF-8; lines end with LF in `text`. */
export const buildPlainReply = (
  name: string,
  text: string,
  expected: Partial<Expected>,
  { type = 'text/plain; charset=utf-8', more = [] as string[] } = {},
): CorpusEmail => ({
  name,
  raw: buildReply(buildPart(toCrlf(text), { type }), { more }),
  expected: { ...REPLY, ...expected },
})
