import {
  buildAttachment,
  buildEmail,
  buildMultipart,
  buildPart,
  seededBytes,
  sha256,
} from './build-email.ts'
import { PERSON, type CorpusEmail } from './expected.ts'

const SIGNATURE = 0x223e9f78
const KEY = 1
const LEVEL = { message: 1, attachment: 2 }

/** Tags of MS-OXTNEF: type in the upper half, id in the lower. */
const TAGS = {
  version: 0x00089006,
  codePage: 0x00069007,
  messageClass: 0x00078008,
  subject: 0x00018004,
  body: 0x0002800c,
  attachRendering: 0x00069002,
  attachTitle: 0x00018010,
  attachData: 0x0006800f,
}

/** Level, tag, length, data and the sum of the data's bytes. */
function buildAttribute(level: number, tag: number, data: Buffer) {
  const head = Buffer.alloc(9)
  head.writeUInt8(level, 0)
  head.writeUInt32LE(tag, 1)
  head.writeUInt32LE(data.length, 5)
  const checksum = Buffer.alloc(2)
  checksum.writeUInt16LE(data.reduce((sum, byte) => (sum + byte) & 0xffff, 0))
  return Buffer.concat([head, data, checksum])
}

/** A stream of TNEF with a text and one file. */
function buildTnef(text: string, name: string, content: Buffer) {
  const start = Buffer.alloc(6)
  start.writeUInt32LE(SIGNATURE, 0)
  start.writeUInt16LE(KEY, 4)
  const codePage = Buffer.alloc(8)
  codePage.writeUInt32LE(1252)
  const rendering = Buffer.alloc(14)
  rendering.writeUInt16LE(1)
  const cString = (value: string) => Buffer.from(`${value}\0`, 'latin1')
  return Buffer.concat([
    start,
    buildAttribute(LEVEL.message, TAGS.version, Buffer.from([0, 0, 1, 0])),
    buildAttribute(LEVEL.message, TAGS.codePage, codePage),
    buildAttribute(LEVEL.message, TAGS.messageClass, cString('IPM.Microsoft Mail.Note')),
    buildAttribute(LEVEL.message, TAGS.subject, cString('Inner subject')),
    buildAttribute(LEVEL.message, TAGS.body, cString(text)),
    buildAttribute(LEVEL.attachment, TAGS.attachRendering, rendering),
    buildAttribute(LEVEL.attachment, TAGS.attachTitle, cString(name)),
    buildAttribute(LEVEL.attachment, TAGS.attachData, content),
  ])
}

const TNEF = buildTnef('The gate is stuck, see the plan.', 'plan.pdf', seededBytes('plan', 6_000))

const FILE = { name: 'winmail.dat', type: 'application/ms-tnef', sha256: sha256(TNEF) }

export const TNEF_EMAILS: CorpusEmail[] = [
  {
    name: 'text with a winmail.dat that contains the same text and a PDF',
    raw: () =>
      buildEmail(
        { more: ['X-MS-TNEF-Correlator: <tnef@client.example>'] },
        buildMultipart('mixed', [
          buildPart('The gate is stuck, see the plan.'),
          buildAttachment('winmail.dat', TNEF, 'application/ms-tnef'),
        ]),
      ),
    expected: { ...PERSON, words: ['The gate is stuck, see the plan.'], files: [FILE] },
  },
  {
    name: 'a winmail.dat as the whole body, all words inside it',
    raw: () =>
      buildEmail(
        {},
        buildPart(TNEF, {
          type: 'application/ms-tnef; name="winmail.dat"',
          encoding: 'base64',
          disposition: 'attachment; filename="winmail.dat"',
        }),
      ),
    expected: {
      ...PERSON,
      files: [FILE, { name: 'message.eml', isOptional: true }],
      why: 'winmail.dat stays an attachment, so there is something to keep.',
    },
  },
]
