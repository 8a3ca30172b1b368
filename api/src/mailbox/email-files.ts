import type { Attachment } from 'postal-mime'
import libmime from 'libmime'
import { cleanName } from '#platform/files/file-name.ts'
import { sanitizeEmail } from './email-html.ts'
import type { ParsedBody } from './parse-body.ts'

/** `type` is what the email says: the file store judges by content. */
export type EmailFile = { name: string; type: string; bytes: Uint8Array }

/** Of the sender: email.html, message.txt and message.eml come on top. */
const ATTACHMENTS_MAX = 50

/** Attachments, and the HTML if it shows anything. `isHtmlLost`: it could not be made safe. */
export function filesOf({ attachments, html }: ParsedBody, text: string) {
  const kept = attachments.slice(0, ATTACHMENTS_MAX)
  const places = placesOf(kept)
  const safe = html === '' ? '' : sanitizeEmail({ html, placeOf: (id) => places.get(id) })
  const hasPicture = safe !== null && PICTURE.test(safe)
  const isKept = safe !== null && safe !== '' && (text !== '' || hasPicture)
  return {
    files: [...kept.map(toFile), ...(isKept ? [htmlFile(safe)] : [])],
    filesLeftOut: attachments.length - kept.length,
    hasPicture,
    isHtmlLost: safe === null,
  }
}

const PICTURE = /<img\b[^>]*\s(?:src|alt)="[^"]/

const htmlFile = (html: string): EmailFile => ({
  name: 'email.html',
  type: 'text/html',
  bytes: toBytes(html),
})

export const textFile = (text: string): EmailFile => ({
  name: 'message.txt',
  type: 'text/plain',
  bytes: toBytes(text),
})

export const emailFile = (raw: Uint8Array): EmailFile => ({
  name: 'message.eml',
  type: 'message/rfc822',
  bytes: raw,
})

/** The first of two equal Content-IDs counts. */
function placesOf(attachments: readonly Attachment[]) {
  const places = new Map<string, number>()
  for (const [place, { contentId = '' }] of attachments.entries()) {
    const id = contentId.replaceAll(/^\s*<|>\s*$/g, '')
    if (id !== '' && !places.has(id)) places.set(id, place)
  }
  return places
}

const toFile = ({ filename, mimeType, content }: Attachment, place: number): EmailFile => ({
  name: cleanName(filename ?? nameFor(mimeType, place)),
  type: mimeType,
  bytes: typeof content === 'string' ? toBytes(content) : new Uint8Array(content),
})

const EXTENSIONS: Record<string, string> = {
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/rfc822-headers': 'txt',
  'text/calendar': 'ics',
  'application/pkcs7-mime': 'p7m',
  'application/ms-tnef': 'dat',
}

/** Invitations and signatures have no name. */
const nameFor = (type: string, place: number) =>
  `attachment-${place + 1}.${EXTENSIONS[type] ?? libmime.detectExtension(type)}`

const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'))
