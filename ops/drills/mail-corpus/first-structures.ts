import {
  buildAttachment,
  buildEmail,
  buildHead,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildPicture,
  buildRawPart,
  concatBytes,
  CRLF,
  seededBytes,
  sha256,
} from './build-email.ts'
import { ANYTHING, PERSON, type CorpusEmail } from './expected.ts'

export const WORDS = 'Grüße, die Tür klemmt'

const PICTURE = seededBytes('picture', 700)
const PDF = concatBytes('%PDF-1.7\n', seededBytes('pdf', 20_000))

/** A multipart around a multipart, that many times; the innermost part is text. */
const nestParts = (levels: number) =>
  concatBytes(
    `Content-Type: multipart/mixed; boundary="level-0"${CRLF}${CRLF}`,
    ...Array.from({ length: levels - 1 }, (_, level) => {
      const type = `Content-Type: multipart/mixed; boundary="level-${level + 1}"`
      return `--level-${level}${CRLF}${type}${CRLF}${CRLF}`
    }),
    `--level-${levels - 1}${CRLF}`,
    buildPart(WORDS),
    ...Array.from({ length: levels }, (_, at) => `${CRLF}--level-${levels - 1 - at}--${CRLF}`),
  )

export const FIRST_STRUCTURES: CorpusEmail[] = [
  {
    name: 'a plain text of one line',
    raw: () => buildEmail({}, buildPart(WORDS)),
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'text and HTML as alternatives',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('alternative', [buildPart(WORDS), buildHtmlPart(`<p>${WORDS}</p>`)]),
      ),
    expected: { ...PERSON, words: [WORDS], files: [{ name: 'email.html', words: [WORDS] }] },
  },
  {
    name: 'HTML only, with a style sheet and a script',
    raw: () => {
      const head = '<head><style>p { color: red }</style></head>'
      return buildEmail(
        {},
        buildHtmlPart(`<html>${head}<body><p>${WORDS}</p><script>steal()</script></body></html>`),
      )
    },
    expected: {
      ...PERSON,
      words: [WORDS],
      absentWords: ['color: red', 'steal()'],
      files: [{ name: 'email.html', words: [WORDS], absentWords: ['<script', 'steal()'] }],
    },
  },
  {
    name: 'text with a PDF',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(WORDS),
          buildAttachment('a.pdf', PDF, 'application/pdf'),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [WORDS],
      files: [{ name: 'a.pdf', type: 'application/pdf', size: PDF.length, sha256: sha256(PDF) }],
    },
  },
  {
    name: 'HTML with one picture inside',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('related', [
          buildHtmlPart(`<p>${WORDS}</p><img src="cid:lamp">`),
          buildPicture('lamp.png', 'lamp', PICTURE),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [WORDS],
      files: [
        { name: 'lamp.png', type: 'image/png', sha256: sha256(PICTURE) },
        { name: 'email.html', words: [WORDS], absentWords: ['src="cid:'] },
      ],
    },
  },
  {
    name: 'a winmail.dat of six bytes',
    raw: () => {
      const stub = Buffer.from('789f3e220100', 'hex')
      const file = buildAttachment('winmail.dat', stub, 'application/ms-tnef')
      return buildEmail({}, buildMultipart('mixed', [buildPart(WORDS), file]))
    },
    expected: { ...PERSON, words: [WORDS], files: [{ name: 'winmail.dat', size: 6 }] },
  },
  {
    name: 'a multipart without its last boundary',
    raw: () =>
      buildEmail(
        {},
        `Content-Type: multipart/mixed; boundary=open${CRLF}${CRLF}--open${CRLF}`,
        buildPart(WORDS),
      ),
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'a multipart that declares no boundary',
    raw: () =>
      buildEmail({}, `Content-Type: multipart/mixed${CRLF}${CRLF}--lost${CRLF}`, buildPart(WORDS)),
    expected: {
      ...PERSON,
      words: [WORDS],
      why: 'The parts cannot be told apart, so all of it is text.',
    },
  },
  {
    name: 'a boundary of characters special to regular expressions',
    raw: () =>
      buildEmail({}, buildMultipart('mixed', [buildPart(WORDS)], { boundary: '=_(.*+?)$[]^|' })),
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'multiparts nested 100 deep',
    raw: () => buildEmail({}, nestParts(100)),
    expected: { ...PERSON, words: [WORDS], why: '100 levels are within the limit.' },
  },
  {
    name: 'multiparts nested 5,000 deep',
    raw: () => buildEmail({}, nestParts(5_000)),
    expected: {
      ...PERSON,
      isWhole: true,
      mayBeWhole: true,
      why: 'The only text is below the limit of 100 levels.',
    },
  },
  {
    name: 'a content type without a subtype',
    raw: () => buildEmail({}, buildPart(WORDS, { type: 'text' })),
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'a forwarded email attached, with its own subject',
    raw: () => {
      const inner = buildEmail(
        { subject: 'Inner subject' },
        buildPart('The vendor blames the cable.'),
      )
      const forwarded = buildRawPart(['Content-Type: message/rfc822'], inner)
      return buildEmail({}, buildMultipart('mixed', [buildPart(WORDS), forwarded]))
    },
    expected: {
      ...PERSON,
      words: [WORDS],
      wordsAnywhere: ['The vendor blames the cable.'],
      files: [{ name: ANYTHING, type: 'message/rfc822', isOptional: true }],
      why: 'As a file or as text: none of its words may be lost.',
    },
  },
  {
    name: 'a calendar entry as the alternative of the text',
    raw: () => {
      const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join(CRLF)
      const entry = buildPart(calendar, { type: 'text/calendar; charset=utf-8; method=REQUEST' })
      return buildEmail({}, buildMultipart('alternative', [buildPart(WORDS), entry]))
    },
    expected: {
      ...PERSON,
      words: [WORDS],
      absentWords: ['BEGIN:VCALENDAR'],
      files: [{ name: /\S/, type: 'text/calendar', words: ['BEGIN:VCALENDAR'] }],
    },
  },
  {
    name: 'text signed with S/MIME',
    raw: () => {
      const signature = buildAttachment('smime.p7s', 'MIIB', 'application/pkcs7-signature')
      return buildEmail({}, buildMultipart('signed', [buildPart(WORDS), signature]))
    },
    expected: { ...PERSON, words: [WORDS], files: [{ name: 'smime.p7s', size: 4 }] },
  },
  {
    name: 'headers without a body',
    raw: () => buildHead({ messageId: 'only-a-head@client.example' }),
    expected: PERSON,
  },
  {
    name: 'zero bytes',
    raw: () => Buffer.alloc(0),
    expected: {
      ...PERSON,
      from: null,
      fromName: ANYTHING,
      subject: '',
      recipients: [],
      isProven: false,
      why: 'No bytes, so no message.eml.',
    },
  },
]
