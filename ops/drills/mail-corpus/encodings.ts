import {
  buildAttachment,
  buildEmail,
  buildMultipart,
  buildPart,
  buildRawPart,
  encodeBase64,
  encodeWord,
} from './build-email.ts'
import { encodeText } from './encode-text.ts'
import { PERSON, type CorpusEmail } from './expected.ts'

const BASE64 = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64']

const buildNamedPart = (disposition: string, type = 'application/octet-stream') => {
  return buildRawPart([`Content-Type: ${type}`, `Content-Disposition: ${disposition}`], 'a file')
}

export const ENCODINGS: CorpusEmail[] = [
  {
    name: 'faults of quoted-printable: small letters, a soft break inside a character, wrong escapes',
    raw: () =>
      buildEmail(
        {},
        buildRawPart(
          [
            'Content-Type: text/plain; charset=utf-8',
            'Content-Transfer-Encoding: Quoted-Printable ',
          ],
          'Gr=c3=bc=c3=\r\n=9fe vom =  \r\nTor, =ZZ steht da\r\nund am Ende =',
        ),
      ),
    expected: { ...PERSON, words: ['Grüße vom Tor', 'steht da', 'und am Ende'] },
  },
  {
    name: 'base64 with uneven lines, blanks and no padding',
    raw: () => {
      const text = Buffer.from('Das Tor klemmt größtenteils.').toString('base64')
      const lines = [text.slice(0, 3), ` ${text.slice(3, 4)}`, '', `\t${text.slice(4)}`]
      return buildEmail({}, buildRawPart(BASE64, lines.join('\r\n').replaceAll('=', '')))
    },
    expected: { ...PERSON, words: ['Das Tor klemmt größtenteils.'] },
  },
  {
    name: 'base64 to which a mailing list appended its footer as plain text',
    raw: () => {
      const text = encodeBase64(Buffer.from('The gate has been stuck since noon.'))
      const footer = '_______________________\r\nMailing list of the client\r\n'
      return buildEmail({}, buildRawPart(BASE64, `${text}\r\n${footer}`))
    },
    expected: { ...PERSON, words: ['The gate has been stuck since noon.'] },
  },
  {
    name: 'base64 cut off in the middle of a character',
    raw: () => {
      const text = Buffer.from('Das Tor klemmt, bitte um Rückruf ü').toString('base64')
      return buildEmail({}, buildRawPart(BASE64, text.slice(0, -3)))
    },
    expected: { ...PERSON, words: ['Das Tor klemmt, bitte um Rückruf'] },
  },
  {
    name: 'a folded subject of plain text and encoded words of B and Q in three charsets',
    raw: () => {
      const words = [
        encodeWord('utf-8', 'Grüße ', 'Q'),
        `\r\n ${encodeWord('ISO-8859-1', encodeText('iso-8859-1', 'aus Köln'))}`,
        ' and\r\n\t',
        encodeWord('utf-8*de', 'Türen', 'B'),
        ' too',
      ]
      return buildEmail({ subject: words.join('') }, buildPart('See above.'))
    },
    expected: { ...PERSON, subject: 'Grüße aus Köln and Türen too', words: ['See above.'] },
  },
  {
    name: 'an encoded word in an unknown charset and one that never ends',
    raw: () =>
      buildEmail(
        { subject: 'The gate =?x-none?B?R3I=?= is stuck =?utf-8?B?R3LDvA' },
        buildPart('See above.'),
      ),
    expected: { ...PERSON, subject: /^The gate .+ is stuck/, words: ['See above.'] },
  },
  {
    name: 'a sender whose encoded name contains a comma and an angle bracket',
    raw: () =>
      buildEmail(
        { from: `${encodeWord('utf-8', 'Müller, Jürgen <IT>', 'Q')} <jm@client.example>` },
        buildPart('The gate is stuck.'),
      ),
    expected: {
      ...PERSON,
      from: 'jm@client.example',
      fromName: /^Müller, Jürgen <?IT>?$/,
      words: ['The gate is stuck.'],
      why: 'Decoded after the addresses are told apart: one sender.',
    },
  },
  {
    name: 'a sender with an international address and name, in UTF-8',
    raw: () =>
      buildEmail(
        { from: 'Jürgen Groß <jürgen@tür.example>', results: null, returnPath: null },
        buildPart('Das Tor klemmt.'),
      ),
    expected: {
      ...PERSON,
      from: 'jürgen@tür.example',
      fromName: 'Jürgen Groß',
      words: ['Das Tor klemmt.'],
      isProven: false,
    },
  },
  {
    name: 'file names of RFC 2231: Latin-1 in mixed pieces, out of order, beside a plain name',
    raw: () => {
      const pieces = `filename*0*=iso-8859-1''Pr%FC; filename*1=fbericht; filename*2*=%20neu.pdf`
      return buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart('Four files.'),
          buildNamedPart(`attachment; ${pieces}`),
          buildNamedPart('attachment; filename*1="n b.pdf"; filename*0="Pla"'),
          buildNamedPart(
            `attachment; filename="EUR.txt"; filename*=utf-8'en'%e2%82%ac%20rates.txt`,
          ),
          buildNamedPart('attachment', `application/pdf; name*=utf-8''T%C3%BCr.pdf`),
        ]),
      )
    },
    expected: {
      ...PERSON,
      words: ['Four files.'],
      files: [
        { name: 'Prüfbericht neu.pdf' },
        { name: 'Plan b.pdf' },
        { name: /^(€ rates|EUR)\.txt$/ },
        { name: 'Tür.pdf', type: 'application/pdf' },
      ],
    },
  },
  {
    name: 'file names against the rules: encoded words, raw UTF-8, quotes and semicolons',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart('Four files.'),
          buildAttachment(encodeWord('utf-8', 'Türplan.pdf'), 'a file', 'application/pdf'),
          buildNamedPart(`attachment; filename=Größe.txt`),
          buildNamedPart(`attachment; filename="a; b \\"c\\".txt"`),
          buildRawPart(
            [`Content-Type: image/gif; name="${encodeWord('utf-8', 'Tor.gif')}"`],
            'GIF',
          ),
        ]),
      ),
    expected: {
      ...PERSON,
      words: ['Four files.'],
      files: [
        { name: 'Türplan.pdf', type: 'application/pdf' },
        { name: 'Größe.txt' },
        { name: /^a; b .?c.?\.txt$/ },
        { name: 'Tor.gif', type: 'image/gif' },
      ],
    },
  },
]
