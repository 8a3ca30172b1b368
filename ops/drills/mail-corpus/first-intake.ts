import { buildEmail, buildMultipart, buildPart, CRLF } from './build-email.ts'
import {
  DESK,
  OUR_MESSAGE_ID,
  PERSON,
  REPLY_ADDRESS,
  RETURN_PATH,
  type CorpusEmail,
} from './expected.ts'
import { WORDS } from './first-structures.ts'

const MALLORY = 'Mallory <mallory@evil.example>'
const EVIL_PASS = 'mx.desk.example; dmarc=pass header.from=evil.example'
const FROM_MALLORY = { from: 'mallory@evil.example', fromName: 'Mallory' } as const

/** A delivery report of three parts, of which the third is the head of our email. */
const buildReport = (status: string, action: string): Pick<CorpusEmail, 'raw' | 'expected'> => ({
  raw: ({ messageId, returnPath }) => {
    const fields = [
      'Reporting-MTA: dns; mx.client.example',
      '',
      'Final-Recipient: rfc822; erika@client.example',
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 no such user',
      '',
    ]
    const returned = [`From: ${DESK}`, `Message-ID: <${messageId}>`, 'Subject: Our answer', '']
    return buildEmail(
      {
        returnPath: '',
        deliveredTo: returnPath,
        results: null,
        from: 'Mail Delivery System <MAILER-DAEMON@mx.client.example>',
        to: returnPath,
        subject: 'Undelivered Mail Returned to Sender',
        more: ['Auto-Submitted: auto-replied'],
      },
      buildMultipart(
        'report',
        [
          buildPart('Your email is still here.'),
          buildPart(fields.join(CRLF), { type: 'message/delivery-status' }),
          buildPart(returned.join(CRLF), { type: 'text/rfc822-headers' }),
        ],
        { parameters: '; report-type=delivery-status' },
      ),
    )
  },
  expected: {
    ...PERSON,
    from: 'mailer-daemon@mx.client.example',
    fromName: 'Mail Delivery System',
    subject: 'Undelivered Mail Returned to Sender',
    words: ['Your email is still here.'],
    mayHaveMoreFiles: true,
    kind: status.startsWith('5') ? 'bounce-permanent' : 'bounce-temporary',
    bounce: {
      messageId: OUR_MESSAGE_ID,
      returnPath: RETURN_PATH,
      recipient: 'erika@client.example',
    },
    recipients: [RETURN_PATH],
    isProven: false,
  },
})

export const FIRST_INTAKE: CorpusEmail[] = [
  {
    name: 'an out-of-office reply that refers to our email',
    raw: ({ messageId }) =>
      buildEmail(
        {
          subject: 'Automatic reply: Gate',
          more: [
            'Auto-Submitted: auto-replied',
            'X-Auto-Response-Suppress: All',
            `In-Reply-To: <${messageId}>`,
          ],
        },
        buildPart('I am away.'),
      ),
    expected: {
      ...PERSON,
      subject: 'Automatic reply: Gate',
      words: ['I am away.'],
      kind: 'automatic',
      references: [OUR_MESSAGE_ID],
    },
  },
  {
    name: 'a newsletter with Precedence and List-Id',
    raw: () => {
      const more = ['Precedence: bulk', 'List-Id: <news.client.example>']
      return buildEmail({ subject: 'News', more }, buildPart('Buy now.'))
    },
    expected: { ...PERSON, subject: 'News', words: ['Buy now.'], kind: 'automatic' },
  },
  {
    name: 'an email of ours that came back',
    raw: ({ messageId }) =>
      buildEmail({ from: DESK, messageId, results: null }, buildPart('Our words.')),
    expected: {
      ...PERSON,
      from: DESK,
      fromName: /^(desk@desk\.example)?$/,
      words: ['Our words.'],
      kind: 'own',
      isProven: false,
    },
  },
  { name: 'a delivery report of status 5.1.1', ...buildReport('5.1.1', 'failed') },
  { name: 'a delivery report of status 4.4.1', ...buildReport('4.4.1', 'delayed') },
  {
    name: 'a reply to the address of the ticket',
    raw: ({ replyAddress }) =>
      buildEmail({ to: replyAddress, subject: 'Re: Gate' }, buildPart(WORDS)),
    expected: {
      ...PERSON,
      subject: 'Re: Gate',
      words: [WORDS],
      recipients: [DESK, REPLY_ADDRESS],
    },
  },
  {
    name: 'a reply to the desk that refers to our email',
    raw: ({ messageId }) => {
      const more = [`In-Reply-To: <${messageId}>`, `References: <${messageId}>`]
      return buildEmail({ subject: 'Re: Gate', more }, buildPart(WORDS))
    },
    expected: { ...PERSON, subject: 'Re: Gate', words: [WORDS], references: [OUR_MESSAGE_ID] },
  },
  {
    name: 'a reply to the address of the ticket from another sender',
    raw: ({ replyAddress }) =>
      buildEmail({ from: MALLORY, to: replyAddress, results: EVIL_PASS }, buildPart(WORDS)),
    expected: { ...PERSON, ...FROM_MALLORY, words: [WORDS], recipients: [DESK, REPLY_ADDRESS] },
  },
  {
    name: 'the number of a ticket only in the subject',
    raw: () =>
      buildEmail({ from: MALLORY, subject: 'Re: [#1] Gate', results: EVIL_PASS }, buildPart(WORDS)),
    expected: { ...PERSON, ...FROM_MALLORY, subject: 'Re: [#1] Gate', words: [WORDS] },
  },
  {
    name: 'the address of a client as the display name',
    raw: () =>
      buildEmail(
        { from: '"erika@client.example" <mallory@evil.example>', results: EVIL_PASS },
        buildPart(WORDS),
      ),
    expected: {
      ...PERSON,
      from: 'mallory@evil.example',
      fromName: /^(erika@client\.example)?$/,
      words: [WORDS],
    },
  },
  ...['first', 'second'].map((parcel) => ({
    name: `the ${parcel} email of two with the same Message-ID`,
    raw: () => buildEmail({ messageId: 'same@parcel.example' }, buildPart(`The ${parcel} parcel.`)),
    expected: { ...PERSON, words: [`The ${parcel} parcel.`] },
  })),
]
