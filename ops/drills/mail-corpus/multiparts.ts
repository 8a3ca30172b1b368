import {
  buildAttachment,
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildPicture,
  buildRawPart,
  seededBytes,
  sha256,
} from './build-email.ts'
import { ANYTHING, PERSON, type CorpusEmail } from './expected.ts'

const TEXT = 'The gate has been stuck since noon.'
const PICTURE = seededBytes('related picture', 3_000)

const buildForward = (subject: string, body: Buffer) => buildEmail({ subject, results: null }, body)

const buildInlineForward = (email: Buffer) => buildRawPart(['Content-Type: message/rfc822'], email)

export const MULTIPARTS: CorpusEmail[] = [
  {
    name: 'alternatives in the wrong order, HTML before the text',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('alternative', [buildHtmlPart(`<p>${TEXT}</p>`), buildPart(TEXT)]),
      ),
    expected: { ...PERSON, words: [TEXT], files: [{ name: 'email.html', words: [TEXT] }] },
  },
  {
    name: 'alternatives of blank text, AMP and HTML',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('alternative', [
          buildPart(' \r\n\u00a0\r\n'),
          buildPart('<html amp4email><body>An AMP page.</body></html>', {
            type: 'text/x-amp-html',
          }),
          buildHtmlPart(`<p>${TEXT}</p>`),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      absentWords: ['An AMP page.'],
      files: [
        { name: ANYTHING, type: 'text/x-amp-html', isOptional: true },
        { name: 'email.html', words: [TEXT] },
      ],
      why: 'A text part of blanks says nothing, so the HTML is the text.',
    },
  },
  {
    name: 'related parts with the page last, named by "start"',
    raw: () =>
      buildEmail(
        {},
        buildMultipart(
          'related',
          [
            buildPicture('lamp.png', 'lamp@client.example', PICTURE),
            buildPart(`<p>${TEXT}</p><img src="cid:lamp@client.example">`, {
              type: 'text/html; charset=utf-8',
              headers: ['Content-ID: <page@client.example>'],
            }),
          ],
          { parameters: '; start="<page@client.example>"; type="text/html"' },
        ),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [
        { name: 'lamp.png', type: 'image/png', sha256: sha256(PICTURE) },
        { name: 'email.html', words: [TEXT], absentWords: ['src="cid:'] },
      ],
    },
  },
  {
    name: 'alternatives with a footer of the gateway as a second text part, and a digest',
    raw: () => {
      const issue = (text: string) =>
        buildRawPart([], buildEmail({ subject: 'Issue' }, buildPart(text)))
      return buildEmail(
        {},
        buildMultipart('mixed', [
          buildMultipart('alternative', [buildPart(TEXT), buildHtmlPart(`<p>${TEXT}</p>`)]),
          buildPart('Scanned by the gateway of the client.'),
          buildMultipart('digest', [issue('The first issue.'), issue('The second issue.')]),
        ]),
      )
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: [
        'Scanned by the gateway of the client.',
        'The first issue.',
        'The second issue.',
      ],
      files: [{ name: 'email.html', words: [TEXT] }],
      mayHaveMoreFiles: true,
    },
  },
  {
    name: '3,000 empty parts before the text, in a multipart of an unknown kind',
    raw: () => {
      const empty = Array.from({ length: 3_000 }, () => buildPart(''))
      return buildEmail({}, buildMultipart('x-strange', [...empty, buildPart(TEXT)]))
    },
    expected: { ...PERSON, words: [TEXT], why: 'RFC 2046 reads unknown kinds as mixed.' },
  },
  {
    name: 'a forwarded email as an attachment with a name',
    raw: () => {
      const file = buildPart(buildForward('RMA', buildPart('The RMA number is 77.')), {
        type: 'message/rfc822; name="RMA.eml"',
        disposition: 'attachment; filename="RMA.eml"',
      })
      return buildEmail(
        { subject: 'Fwd: RMA' },
        buildMultipart('mixed', [buildPart('See attached.'), file]),
      )
    },
    expected: {
      ...PERSON,
      subject: 'Fwd: RMA',
      words: ['See attached.'],
      wordsAnywhere: ['The RMA number is 77.'],
      files: [{ name: 'RMA.eml', type: 'message/rfc822', words: ['The RMA number is 77.'] }],
    },
  },
  {
    name: 'an email in an email in an email, the innermost with a PDF',
    raw: () => {
      const third = buildForward(
        'third',
        buildMultipart('mixed', [buildPart('The third words.'), buildAttachment('x.pdf', PICTURE)]),
      )
      const second = buildMultipart('mixed', [
        buildPart('The second words.'),
        buildInlineForward(third),
      ])
      const outer = buildMultipart('mixed', [
        buildPart(TEXT),
        buildInlineForward(buildForward('second', second)),
      ])
      return buildEmail({}, outer)
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: ['The second words.', 'The third words.'],
      files: [],
      mayHaveMoreFiles: true,
      why: 'As a file or as text: none of its words may be lost, the subject stays the outer one.',
    },
  },
]
