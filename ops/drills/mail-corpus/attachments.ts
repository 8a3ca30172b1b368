import {
  buildAttachment,
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildPicture,
  CRLF,
  seededBytes,
  sha256,
} from './build-email.ts'
import { encodeText } from './encode-text.ts'
import { ANYTHING, PERSON, type CorpusEmail } from './expected.ts'

const TEXT = 'The gate has been stuck since noon.'
const PDF = seededBytes('attached pdf', 9_000)
const PHOTO = seededBytes('attached photo', 40_000)
const LOGO = seededBytes('attached logo', 2_000)
const CSV = encodeText('iso-8859-1', 'Tür;Öffnungen\r\nNord;12')
const LOG = 'gate = stuck\r\n\r\n  retry in 5 s \r\nend'

const INVITE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:1@client.example',
  'DTSTART:20261103T090000Z',
  'SUMMARY:Repair of the gate',
  'ORGANIZER:mailto:erika@client.example',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join(CRLF)

const buildPdf = (name: string) => buildAttachment(name, PDF, 'application/pdf')

export const ATTACHMENTS: CorpusEmail[] = [
  {
    name: '60 attachments',
    raw: () => {
      const files = Array.from({ length: 60 }, (_, at) =>
        buildAttachment(`photo-${at}.jpg`, `jpg ${at}`),
      )
      return buildEmail({}, buildMultipart('mixed', [buildPart(TEXT), ...files]))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      files: Array.from({ length: 49 }, (_, at) => ({
        name: `photo-${at}.jpg`,
        sha256: sha256(`jpg ${at}`),
      })),
      mayHaveMoreFiles: true,
      why: 'At most 50 files; one of them may be a note or the email itself.',
    },
  },
  {
    name: 'text beside HTML with two pictures, and a PDF, as Outlook nests them',
    raw: () => {
      const related = buildMultipart(
        'related',
        [
          buildHtmlPart(
            `<p>${TEXT}</p><img src="cid:image001.png@01DC"><img src='CID:image002.jpg@01DC'>`,
          ),
          buildPicture('image001.png', 'image001.png@01DC', LOGO),
          buildPicture('image002.jpg', 'image002.jpg@01DC', PHOTO, 'image/jpeg'),
        ],
        { parameters: '; type="text/html"' },
      )
      const body = buildMultipart('alternative', [buildPart(TEXT), related])
      return buildEmail({}, buildMultipart('mixed', [body, buildPdf('offer.pdf')]))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [
        { name: 'image001.png', type: 'image/png', sha256: sha256(LOGO) },
        { name: 'image002.jpg', type: 'image/jpeg', sha256: sha256(PHOTO) },
        { name: 'offer.pdf', type: 'application/pdf', sha256: sha256(PDF) },
        { name: 'email.html', words: [TEXT], absentWords: ['src="cid:', "src='cid:"] },
      ],
    },
  },
  {
    name: 'text, a photo and more text in turn, as Apple Mail writes them',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart('This is the gate:'),
          buildPart(PHOTO, {
            type: 'image/jpeg; name=IMG_0042.jpeg',
            encoding: 'base64',
            disposition: 'inline; filename=IMG_0042.jpeg',
          }),
          buildPart('And this is the offer:'),
          buildPart(PDF, {
            type: 'application/pdf; name="offer.pdf"; x-unix-mode=0644',
            encoding: 'base64',
            disposition: 'inline; filename=offer.pdf',
          }),
          buildPart('Please order it.'),
        ]),
      ),
    expected: {
      ...PERSON,
      words: ['This is the gate:', 'And this is the offer:', 'Please order it.'],
      files: [
        { name: 'IMG_0042.jpeg', type: 'image/jpeg', sha256: sha256(PHOTO) },
        { name: 'offer.pdf', type: 'application/pdf', sha256: sha256(PDF) },
      ],
    },
  },
  {
    name: 'an invitation as the third alternative and once more as a file',
    raw: () =>
      buildEmail(
        { subject: 'Invitation: Repair of the gate' },
        buildMultipart('mixed', [
          buildMultipart('alternative', [
            buildPart('You are invited to the repair.'),
            buildHtmlPart('<p>You are invited to the repair.</p>'),
            buildPart(INVITE, { type: 'text/calendar; charset=UTF-8; method=REQUEST' }),
          ]),
          buildAttachment('invite.ics', INVITE, 'application/ics'),
        ]),
      ),
    expected: {
      ...PERSON,
      subject: 'Invitation: Repair of the gate',
      words: ['You are invited to the repair.'],
      absentWords: ['BEGIN:VEVENT'],
      files: [
        { name: /\S/, type: 'text/calendar', words: ['SUMMARY:Repair of the gate'] },
        { name: 'invite.ics', sha256: sha256(INVITE) },
        { name: 'email.html' },
      ],
    },
  },
  {
    name: 'two files of the same name, and one of no bytes',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(TEXT),
          buildPdf('scan.pdf'),
          buildAttachment('scan.pdf', PHOTO, 'application/pdf'),
          buildAttachment('empty.log', ''),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [
        { name: /^scan.*\.pdf$/, sha256: sha256(PDF) },
        { name: /^scan.*\.pdf$/, sha256: sha256(PHOTO) },
        { name: 'empty.log', size: 0, isOptional: true },
      ],
    },
  },
  {
    name: 'a scanner: a PDF as the whole body, without text or name',
    raw: () =>
      buildEmail({ subject: '' }, buildPart(PDF, { type: 'application/pdf', encoding: 'base64' })),
    expected: {
      ...PERSON,
      subject: '',
      files: [{ name: /\S/, type: 'application/pdf', sha256: sha256(PDF) }],
    },
  },
  {
    name: 'text files with a charset of their own, in 8-bit and in quoted-printable',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(CSV, {
            type: 'text/csv; charset=iso-8859-1; name=doors.csv',
            disposition: 'attachment; filename=doors.csv',
          }),
          buildPart(LOG, {
            type: 'text/plain; charset=us-ascii',
            encoding: 'quoted-printable',
            disposition: 'attachment; filename=gate.log',
          }),
          buildPart(TEXT),
          buildPart('<p>A report.</p>', {
            type: 'text/html; charset=utf-8',
            disposition: 'attachment; filename=report.html',
          }),
        ]),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      absentWords: ['retry in 5 s', 'A report.'],
      files: [
        { name: 'doors.csv', type: 'text/csv', sha256: sha256(CSV) },
        { name: 'gate.log', type: 'text/plain', sha256: sha256(LOG) },
        { name: 'report.html', type: 'text/html', sha256: sha256('<p>A report.</p>') },
      ],
      why: 'Files keep their bytes; the text may come after them.',
    },
  },
  {
    name: 'a text file with a name that wants to be shown inside',
    raw: () => {
      const file = buildPart(LOG, {
        type: 'text/plain; charset=utf-8; name=gate.log',
        disposition: 'inline; filename=gate.log',
      })
      return buildEmail({}, buildMultipart('mixed', [buildPart(TEXT), file]))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: ['retry in 5 s'],
      files: [{ name: ANYTHING, type: 'text/plain', isOptional: true }],
    },
  },
]
