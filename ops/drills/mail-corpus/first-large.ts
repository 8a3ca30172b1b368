import {
  buildAttachment,
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  CRLF,
  ERIKA,
  seededBytes,
  sha256,
} from './build-email.ts'
import { PERSON, UNKNOWN_SENDER, type CorpusEmail } from './expected.ts'
import { WORDS } from './first-structures.ts'

const OPTIONAL_TEXT = { name: 'message.txt', isOptional: true } as const
const OPTIONAL_HTML = { name: 'email.html', isOptional: true } as const

const describeLargeFile = (name: string, size: number): CorpusEmail => ({
  name: `an attachment of ${size / 1_000_000} MB`,
  raw: () => {
    const file = buildAttachment(name, seededBytes(name, size))
    return buildEmail({}, buildMultipart('mixed', [buildPart(WORDS), file]))
  },
  expected: {
    ...PERSON,
    words: [WORDS],
    files: [{ name, size, sha256: sha256(seededBytes(name, size)) }],
  },
})

export const FIRST_LARGE: CorpusEmail[] = [
  {
    name: '1 MB of References',
    raw: () =>
      buildEmail(
        { more: [`References:${`${CRLF} <x@client.example>`.repeat(50_000)}`] },
        buildPart(WORDS),
      ),
    expected: { ...PERSON, words: [WORDS], references: 'any' },
  },
  {
    name: '10,000 Received lines',
    raw: () => {
      const date = 'Mon, 2 Nov 2026 10:00:00 +0100'
      const more = Array.from({ length: 10_000 }, (_, at) => {
        return `Received: from a${at}.example by b${at}.example; ${date}`
      })
      return buildEmail({ more }, buildPart(WORDS))
    },
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'a header line of 500 kB',
    raw: () => buildEmail({ more: [`X-Long: ${'y'.repeat(500_000)}`] }, buildPart(WORDS)),
    expected: { ...PERSON, words: [WORDS] },
  },
  {
    name: 'a subject of 100 kB',
    raw: () => buildEmail({ subject: 's'.repeat(100_000) }, buildPart(WORDS)),
    expected: { ...PERSON, subject: /^s{50}/, words: [WORDS], why: 'A reader may shorten it.' },
  },
  {
    name: 'two From lines and two subjects',
    raw: () => {
      const more = ['From: Second <second@client.example>', 'Subject: second']
      return buildEmail({ from: ERIKA, subject: 'first', more }, buildPart(WORDS))
    },
    expected: { ...PERSON, ...UNKNOWN_SENDER, subject: /^(first|second)$/, words: [WORDS] },
  },
  describeLargeFile('ten.bin', 10_000_000),
  describeLargeFile('twenty-five.bin', 25_000_000),
  {
    name: '2,000 attachments',
    raw: () => {
      const files = Array.from({ length: 2_000 }, (_, at) =>
        buildAttachment(`${at}.txt`, `file ${at}`),
      )
      return buildEmail({}, buildMultipart('mixed', [buildPart(WORDS), ...files]))
    },
    expected: {
      ...PERSON,
      words: [WORDS],
      files: Array.from({ length: 49 }, (_, at) => ({
        name: `${at}.txt`,
        sha256: sha256(`file ${at}`),
      })),
      mayHaveMoreFiles: true,
      why: 'At most 50 files; one of them may be a note or the email itself.',
    },
  },
  {
    name: 'HTML of 5 MB',
    raw: () =>
      buildEmail(
        {},
        buildHtmlPart(`<p>${WORDS}</p>${'<p>word</p>'.repeat(450_000)}<p>the end</p>`),
      ),
    expected: {
      ...PERSON,
      words: [WORDS],
      files: [{ name: 'message.txt', words: [WORDS, 'the end'] }, OPTIONAL_HTML],
    },
  },
  {
    name: 'HTML elements nested 100,000 deep',
    raw: () => buildEmail({}, buildHtmlPart(`<p>${WORDS}</p>${'<div>'.repeat(100_000)}`)),
    expected: { ...PERSON, words: [WORDS], files: [OPTIONAL_HTML] },
  },
  {
    name: 'HTML of 200,000 attributes that never end',
    raw: () => buildEmail({}, buildHtmlPart(`<p>${WORDS}</p>${'<a href="'.repeat(200_000)}`)),
    expected: { ...PERSON, words: [WORDS], files: [OPTIONAL_TEXT, OPTIONAL_HTML] },
  },
  {
    name: 'a line of 5 MB',
    raw: () => buildEmail({}, buildPart(`${WORDS} ${'a '.repeat(2_500_000)}the end`)),
    expected: {
      ...PERSON,
      words: [WORDS],
      files: [{ name: 'message.txt', words: [WORDS, 'the end'] }],
    },
  },
  {
    name: '200,000 quoted lines',
    raw: () => buildEmail({}, buildPart(`${WORDS}${CRLF}${`> a${CRLF}`.repeat(200_000)}`)),
    expected: { ...PERSON, words: [WORDS], files: [OPTIONAL_TEXT] },
  },
  {
    name: '"On Mon wrote" 50,000 times in a line',
    raw: () =>
      buildEmail({}, buildPart(`${WORDS}${CRLF}${'On Mon wrote '.repeat(50_000)}:${CRLF}`)),
    expected: { ...PERSON, words: [WORDS], files: [OPTIONAL_TEXT] },
  },
]
