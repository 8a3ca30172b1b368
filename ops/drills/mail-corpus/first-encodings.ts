import {
  buildAttachment,
  buildEmail,
  buildHead,
  buildMultipart,
  buildPart,
  buildRawPart,
  concatBytes,
  CRLF,
  sha256,
} from './build-email.ts'
import { encodeIso2022Jp, encodeText, encodeUtf7 } from './encode-text.ts'
import { PERSON, UNKNOWN_SENDER, type CorpusEmail } from './expected.ts'
import { WORDS } from './first-structures.ts'

const CURLY = Buffer.from([0x93, 0x80, 0x94])

/** Names as sent, and as a reader may make them. */
const HOSTILE_NAMES: [string, string | RegExp][] = [
  ['../../../etc/passwd', /passwd$/],
  ['C:\\Windows\\system32\\x.dll', /x\.dll$/],
  ['CON', /CON/i],
  ['a\u0000b.txt', /^a.?b\.txt$/],
  [`${'x'.repeat(5_000)}.txt`, /^x{20}/],
  ['invoice\u202Efdp.exe', /^invoice.?fdp\.exe$/],
  ['.htaccess', /htaccess$/],
  ['-rf', /rf$/],
  ['%2e%2e%2fx', /x$/],
  ['новый файл.pdf', 'новый файл.pdf'],
  ['<img src=x onerror=alert(1)>.png', /\.png$/],
  [' ', /\S/],
  ['', /\S/],
]

/** Text in a charset, labelled with it, as 8-bit bytes. */
const describeCharset = (
  charset: string,
  bytes: string | Uint8Array,
  text: string,
): CorpusEmail => ({
  name: `a short text in ${charset}`,
  raw: () =>
    buildEmail({ subject: charset }, buildPart(bytes, { type: `text/plain; charset=${charset}` })),
  expected: { ...PERSON, subject: charset, words: [text] },
})

export const FIRST_ENCODINGS: CorpusEmail[] = [
  describeCharset('koi8-r', encodeText('koi8-r', 'Привет'), 'Привет'),
  describeCharset('shift_jis', encodeText('shift_jis', 'こんにちは'), 'こんにちは'),
  describeCharset('iso-2022-jp', encodeIso2022Jp('こんにちは'), 'こんにちは'),
  describeCharset('gb18030', encodeText('gb18030', '你好'), '你好'),
  describeCharset('big5', encodeText('big5', '你好'), '你好'),
  describeCharset('windows-1252', CURLY, '“€”'),
  {
    ...describeCharset('iso-8859-1', CURLY, '“€”'),
    name: 'quotation marks of windows-1252 labelled iso-8859-1',
  },
  describeCharset('utf-7', encodeUtf7('日本語'), '日本語'),
  describeCharset('ibm850', Buffer.from([0x81, 0x84]), 'üä'),
  { ...describeCharset('us-ascii', 'Grüße', 'Grüße'), name: 'UTF-8 labelled us-ascii' },
  { ...describeCharset('x-unknown', 'plain words', 'plain words'), name: 'a charset nobody knows' },
  {
    name: 'quoted-printable with a soft break inside a word',
    raw: () =>
      buildEmail(
        { subject: '=?utf-8?Q?T=C3=BCr_zu?=' },
        buildRawPart(
          [
            'Content-Type: text/plain; charset=utf-8',
            'Content-Transfer-Encoding: quoted-printable',
          ],
          `Gr=C3=BC=C3=9Fe, die T=C3=BC=${CRLF}r klemmt`,
        ),
      ),
    expected: { ...PERSON, subject: 'Tür zu', words: [WORDS] },
  },
  {
    name: 'two encoded words that split one character',
    raw: () => buildEmail({ subject: '=?utf-8?B?VMM=?= =?utf-8?B?vHI=?=' }, buildPart(WORDS)),
    expected: { ...PERSON, subject: 'Tür', words: [WORDS] },
  },
  {
    name: 'UTF-8 in headers without encoded words',
    raw: () =>
      buildEmail({ from: 'Jürgen <j@client.example>', subject: 'Tür zu' }, buildPart(WORDS)),
    expected: {
      ...PERSON,
      from: 'j@client.example',
      fromName: 'Jürgen',
      subject: 'Tür zu',
      words: [WORDS],
    },
  },
  {
    name: 'ISO-8859-1 in the subject without encoded words',
    raw: () => buildEmail({ subject: encodeText('iso-8859-1', 'Tür zu') }, buildPart(WORDS)),
    expected: { ...PERSON, subject: /^T.{1,2}r zu$/, words: [WORDS] },
  },
  {
    name: 'line ends of LF only',
    raw: () => {
      const email = buildEmail({ more: ['X-Line-Ends: LF'] }, buildPart(WORDS)).toString('latin1')
      return Buffer.from(email.replaceAll(CRLF, '\n'), 'latin1')
    },
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'line ends of CR only',
    raw: () => {
      const email = buildEmail({ more: ['X-Line-Ends: CR'] }, buildPart(WORDS)).toString('latin1')
      return Buffer.from(email.replaceAll(CRLF, '\r'), 'latin1')
    },
    expected: { ...PERSON, words: [WORDS], mayBeWhole: true },
  },
  {
    name: 'NUL in subject and text',
    raw: () => buildEmail({ subject: 'gate\0stuck' }, buildPart(`${WORDS}\0end`)),
    expected: { ...PERSON, subject: /^gate.?stuck$/, words: [WORDS] },
  },
  {
    name: 'two lines of text and no headers',
    raw: () => Buffer.from(`only words here${CRLF}and some more${CRLF}`),
    expected: {
      ...PERSON,
      ...UNKNOWN_SENDER,
      subject: '',
      words: ['only words here', 'and some more'],
      mayBeWhole: true,
      recipients: [],
    },
  },
  {
    name: 'base64 with characters outside its alphabet',
    raw: () =>
      buildEmail(
        {},
        buildRawPart(
          ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
          `R3LDvMOfZQ=!!!==${CRLF}####`,
        ),
      ),
    expected: { ...PERSON, words: ['Grüße'] },
  },
  {
    name: 'an unknown transfer encoding',
    raw: () => buildEmail({}, buildRawPart(['Content-Transfer-Encoding: x-none'], 'plain words')),
    expected: { ...PERSON, words: ['plain words'] },
  },
  {
    name: 'a file name in two pieces of RFC 2231',
    raw: () => {
      const disposition = `attachment; filename*0*=utf-8''T%C3%BC; filename*1*=r.txt`
      const file = buildPart('x', {
        type: 'application/octet-stream',
        encoding: 'base64',
        disposition,
      })
      return buildEmail({}, buildMultipart('mixed', [buildPart(WORDS), file]))
    },
    expected: { ...PERSON, words: [WORDS], files: [{ name: 'Tür.txt', size: 1 }] },
  },
  {
    name: 'hostile file names',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(WORDS),
          ...HOSTILE_NAMES.map(([name], at) => buildAttachment(name, `file ${at}`)),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [WORDS],
      files: HOSTILE_NAMES.map(([, name], at) => ({ name, sha256: sha256(`file ${at}`) })),
    },
  },
  {
    name: 'no From line',
    raw: () => buildEmail({ from: null }, buildPart(WORDS)),
    expected: { ...PERSON, ...UNKNOWN_SENDER, words: [WORDS] },
  },
  {
    name: 'no Message-ID',
    raw: () => concatBytes(buildHead({ messageId: null }), buildPart(WORDS)),
    expected: { ...PERSON, words: [WORDS] },
  },
]
