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
  seededBytes,
} from './build-email.ts'
import { DESK, PERSON, UNKNOWN_SENDER, type CorpusEmail } from './expected.ts'

const TEXT = 'The gate has been stuck since noon.'

const joinLines = (...all: string[]) => concatBytes(all.join(CRLF))

export const MALFORMED: CorpusEmail[] = [
  {
    name: 'an inner boundary that begins with the outer one',
    raw: () => {
      const inner = buildMultipart(
        'alternative',
        [buildPart(TEXT), buildHtmlPart(`<p>${TEXT}</p>`)],
        {
          boundary: 'frontier-1',
        },
      )
      const file = buildAttachment('log.bin', 'a log')
      return buildEmail({}, buildMultipart('mixed', [inner, file], { boundary: 'frontier' }))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [{ name: 'log.bin', size: 5 }, { name: 'email.html' }],
    },
  },
  {
    name: 'no empty line between the headers and the text',
    raw: () => concatBytes(buildHead(), `${TEXT}${CRLF}It does not close either.${CRLF}`),
    expected: {
      ...PERSON,
      words: [TEXT, 'It does not close either.'],
      mayBeWhole: true,
      why: 'A line without a colon ends the headers.',
    },
  },
  {
    name: 'an empty line in the middle of the headers',
    raw: () =>
      joinLines(
        `Authentication-Results: ${PASS}`,
        `From: ${ERIKA}`,
        `To: ${DESK}`,
        'Subject: The gate is stuck',
        '',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        '',
        TEXT,
      ),
    expected: { ...PERSON, words: [TEXT] },
  },
  {
    name: 'headers with odd capitals, tabs, blanks before a colon and a date that is none',
    raw: () =>
      joinLines(
        `AUTHENTICATION-RESULTS: ${PASS}`,
        `FROM:\t${ERIKA}`,
        `tO:${DESK}`,
        'SuBjEcT :  The gate is stuck',
        'Date: the day after tomorrow',
        'CONTENT-TYPE:text/PLAIN;CHARSET="UTF-8"',
        'cOnTeNt-TrAnSfEr-EnCoDiNg:BASE64',
        '',
        concatBytes(TEXT).toString('base64'),
      ),
    expected: { ...PERSON, words: [TEXT] },
  },
  {
    name: 'headers folded at every place, also into lines of blanks',
    raw: () =>
      joinLines(
        `Authentication-Results:${CRLF}\tmx.desk.example;${CRLF}\tdmarc=pass${CRLF}\t(p=reject)${CRLF} header.from=client.example`,
        `From:${CRLF} Erika${CRLF}\tMuster${CRLF} <erika@client.example>`,
        `To:${CRLF}  ${DESK}`,
        `Subject:${CRLF} The${CRLF}   ${CRLF} gate is${CRLF}\tstuck`,
        `Content-Type: multipart/mixed;${CRLF}\tboundary${CRLF} =${CRLF} "folded"`,
        '',
        '--folded',
        `Content-Type:${CRLF} text/plain;${CRLF} charset=utf-8`,
        '',
        TEXT,
        '--folded--',
      ),
    expected: { ...PERSON, words: [TEXT] },
  },
  {
    name: 'a mailbox line "From " at the top and ">From" in the text',
    raw: () =>
      concatBytes(
        `From erika@client.example Mon Nov  2 10:00:00 2026${CRLF}`,
        buildEmail({}, buildPart(`${TEXT}${CRLF}>From noon on, the lamp is red.${CRLF}`)),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: ['From noon on, the lamp is red.'],
      why: 'The first line is no header, so there is one From. The last may pass as quoted.',
    },
  },
  {
    name: 'Subject, To, Message-ID and Content-Type twice',
    raw: () =>
      joinLines(
        `Authentication-Results: ${PASS}`,
        `From: ${ERIKA}`,
        `To: ${DESK}`,
        'To: sales@client.example',
        'Subject: The gate is stuck',
        'Subject: The gate is open',
        'Message-ID: <twice-a@client.example>',
        'Message-ID: <twice-b@client.example>',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Type: text/plain; charset=us-ascii',
        '',
        TEXT,
      ),
    expected: {
      ...PERSON,
      subject: /^The gate is (stuck|open)$/,
      words: [TEXT],
      recipients: [DESK, 'sales@client.example'],
    },
  },
  {
    name: 'line ends of CR LF, LF and CR CR LF in turn',
    raw: () =>
      concatBytes(
        buildHead({ more: ['Content-Type: multipart/mixed; boundary=turns'] }),
        '\r\n--turns\n',
        'Content-Type: text/plain; charset=utf-8\n\n',
        `${TEXT}\r\r\nIt does not close either.\n`,
        '--turns\r\n',
        buildAttachment('log.bin', 'a log'),
        '\n--turns--\n',
      ),
    expected: {
      ...PERSON,
      words: [TEXT, 'It does not close either.'],
      files: [{ name: 'log.bin', size: 5 }],
    },
  },
  {
    name: 'an email that breaks off inside an attachment',
    raw: () => {
      const file = buildAttachment('scan.pdf', seededBytes('scan', 30_000), 'application/pdf')
      const email = buildEmail({}, buildMultipart('mixed', [buildPart(TEXT), file]))
      return email.subarray(0, email.length - 8_001)
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [{ name: 'scan.pdf', type: 'application/pdf' }],
      why: 'Some of a file is better than none.',
    },
  },
  {
    name: 'text before the first and after the last boundary, blanks after each boundary',
    raw: () =>
      buildEmail(
        {},
        joinLines(
          'Content-Type: multipart/mixed; (why not) boundary = "blanks" ; ; charset=utf-8 (UTF-8)',
          '',
          'This is a multi-part message in MIME format.',
          '--blanks \t ',
          'Content-Type: text/plain (hello) ; charset = utf-8 ; format=fixed;',
          '',
          TEXT,
          '--blanks--  ',
          'Scanned by the gateway of the client.',
        ),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      absentWords: ['multi-part message in MIME format', 'Scanned by the gateway'],
    },
  },
  {
    name: 'a multipart that says of itself that it is base64',
    raw: () =>
      buildEmail(
        { more: ['Content-Transfer-Encoding: base64'] },
        buildMultipart('alternative', [buildPart(TEXT), buildHtmlPart(`<p>${TEXT}</p>`)]),
      ),
    expected: { ...PERSON, words: [TEXT], files: [{ name: 'email.html' }] },
  },
  {
    name: 'an empty From line and an empty subject',
    raw: () => buildEmail({ from: '', subject: '' }, buildPart(TEXT)),
    expected: { ...PERSON, ...UNKNOWN_SENDER, subject: '', words: [TEXT] },
  },
  {
    name: 'bytes that are no email',
    raw: () => seededBytes('no email', 5_000),
    expected: {
      ...PERSON,
      ...UNKNOWN_SENDER,
      subject: /^/,
      mayBeWhole: true,
      recipients: 'any',
      references: 'any',
    },
  },
  {
    name: 'no headers of MIME at all, the text in UTF-8',
    raw: () =>
      concatBytes(
        buildHead().toString().replace(`MIME-Version: 1.0${CRLF}`, ''),
        buildRawPart([], 'Das Tor klemmt größtenteils.'),
      ),
    expected: { ...PERSON, words: ['Das Tor klemmt größtenteils.'] },
  },
]
