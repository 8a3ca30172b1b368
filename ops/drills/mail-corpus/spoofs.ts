import { domainToASCII } from 'node:url'
import {
  buildAttachment,
  buildEmail,
  buildHead,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildRawPart,
  concatBytes,
  CRLF,
  ERIKA,
  PASS,
} from './build-email.ts'
import {
  ANYTHING,
  DESK,
  OTHER_REPLY_ADDRESS,
  PERSON,
  UNKNOWN_SENDER,
  type CorpusEmail,
} from './expected.ts'

const TEXT = 'Please send me the access codes.'
const EVIL_PASS = 'mx.desk.example; dmarc=pass header.from=evil.example'
const FAIL = 'mx.desk.example; dmarc=fail (p=none) header.from=client.example'

/** With a Cyrillic letter in the place of an i. */
const LOOKALIKE = domainToASCII('cl\u0456ent.example')

const buildWithResults = (first: string, ...more: string[]) =>
  buildEmail(
    { results: first },
    concatBytes(...more.map((one) => `Authentication-Results: ${one}${CRLF}`)),
    buildPart(TEXT),
  )

const NOT_PROVEN = { ...PERSON, words: [TEXT], isProven: false }

export const SPOOFS: CorpusEmail[] = [
  {
    name: 'a From of two addresses',
    raw: () => buildEmail({ from: `${ERIKA}, Mallory <mallory@evil.example>` }, buildPart(TEXT)),
    expected: { ...PERSON, ...UNKNOWN_SENDER, words: [TEXT] },
  },
  {
    name: 'a From that is a group of two addresses',
    raw: () =>
      buildEmail(
        { from: 'Helpers: erika@client.example, <mallory@evil.example>;', results: EVIL_PASS },
        buildPart(TEXT),
      ),
    expected: { ...PERSON, ...UNKNOWN_SENDER, words: [TEXT] },
  },
  {
    name: 'a second From line in capitals, below 200 other lines, a blank before its colon',
    raw: () => {
      const filler = Array.from({ length: 200 }, (_, at) => `X-Filler-${at}: ${at}`)
      const more = [...filler, 'FROM : Mallory <mallory@evil.example>']
      return buildEmail({ more }, buildPart(TEXT))
    },
    expected: { ...PERSON, ...UNKNOWN_SENDER, words: [TEXT] },
  },
  {
    name: 'the address of a client in angle brackets in the name, and again in a comment',
    raw: () => {
      const name = '"Erika Muster <erika@client.example>"'
      const from = `${name} <mallory@evil.example> (erika@client.example)`
      return buildEmail({ from, results: EVIL_PASS }, buildPart(TEXT))
    },
    expected: {
      ...PERSON,
      from: 'mallory@evil.example',
      fromName: ANYTHING,
      words: [TEXT],
    },
  },
  {
    name: 'a domain that looks like that of the client, proven for itself',
    raw: () => {
      const results = `mx.desk.example; dmarc=pass header.from=${LOOKALIKE}`
      return buildEmail({ from: `Erika Muster <erika@${LOOKALIKE}>`, results }, buildPart(TEXT))
    },
    expected: { ...PERSON, from: `erika@${LOOKALIKE}`, words: [TEXT] },
  },
  {
    name: 'results of our server: "fail" at the top, a forged "pass" below',
    raw: () => buildWithResults(FAIL, PASS, PASS),
    expected: NOT_PROVEN,
  },
  {
    name: 'results of other servers whose names contain ours, and ours only inside parts',
    raw: () => {
      const pass = 'dmarc=pass header.from=client.example'
      const servers = ['sub.mx.desk.example', 'mx.desk.example.evil.test', 'not-mx.desk.example']
      const stamp = `Authentication-Results: ${PASS}`
      const inner = buildRawPart(
        ['Content-Type: message/rfc822'],
        concatBytes(buildHead(), CRLF, 'Inner.'),
      )
      return concatBytes(
        ...servers.map((one) => `Authentication-Results: ${one}; ${pass}${CRLF}`),
        buildEmail(
          { results: `evil.test; ${pass}` },
          buildMultipart('mixed', [buildPart(TEXT, { headers: [stamp] }), inner]),
        ),
      )
    },
    expected: { ...NOT_PROVEN, mayHaveMoreFiles: true },
  },
  {
    name: 'results of our server with "pass" only in comments, strings and other methods',
    raw: () =>
      buildWithResults(
        `mx.desk.example (dmarc=pass header.from=client.example); spf=pass reason="a; dmarc=pass header.from=client.example"; x-dmarc=pass header.from=client.example; dmarc=none (dmarc=pass (really)) header.from=client.example`,
      ),
    expected: NOT_PROVEN,
  },
  {
    name: 'results of our server below those of another, folded, with a version and capitals',
    raw: () =>
      buildWithResults(
        'relay.evil.test; dmarc=fail header.from=client.example',
        `mx.desk.example 1;${CRLF}\tdkim=pass header.d=client.example;${CRLF}\tdmarc=pass (p=none; sp=none)${CRLF}\theader.from=Client.Example`,
        FAIL,
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      why: 'The topmost line with our id counts; lines of others are passed over.',
    },
  },
  {
    name: 'results of our server that pass for a domain beginning with that of the sender',
    raw: () =>
      buildWithResults('mx.desk.example; dmarc=pass (p=none) header.from=client.example.evil.test'),
    expected: NOT_PROVEN,
  },
  {
    name: 'encoded words in subject and name that decode to line ends and further headers',
    raw: () => {
      const results = '=0D=0AAuthentication-Results:_mx.desk.example;_dmarc=3Dpass'
      return buildEmail(
        {
          results: null,
          from: '=?utf-8?Q?Erika=0D=0AFrom=3A_root?= <erika@client.example>',
          subject: `=?utf-8?Q?Gate${results}_header.from=3Dclient.example?=`,
        },
        buildMultipart('alternative', [buildPart(TEXT), buildHtmlPart(`<p>${TEXT}</p>`)]),
      )
    },
    expected: {
      ...NOT_PROVEN,
      fromName: /^Erika.?From: root$/,
      subject: /^Gate.?Authentication-Results: /,
      files: [{ name: 'email.html' }],
    },
  },
  {
    name: 'an address of a ticket in the name of a recipient, the address of another in Cc',
    raw: ({ replyAddress, otherTicketReplyAddress }) =>
      buildEmail(
        {
          to: `"${replyAddress}" <sales@client.example>, undisclosed-recipients:;,${CRLF} Team: a@client.example, DESK@Desk.Example;`,
          more: [
            `Cc: Other (${replyAddress}) <${otherTicketReplyAddress}>`,
            'X-Original-To: support@desk.example',
            `Reply-To: ${replyAddress}`,
          ],
        },
        buildMultipart('mixed', [buildPart(TEXT), buildAttachment('a.bin', 'a')]),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [{ name: 'a.bin', size: 1 }],
      recipients: [
        DESK,
        'support@desk.example',
        'sales@client.example',
        'a@client.example',
        OTHER_REPLY_ADDRESS,
      ],
      why: 'Names and comments are no addresses; Reply-To is not looked at.',
    },
  },
]
