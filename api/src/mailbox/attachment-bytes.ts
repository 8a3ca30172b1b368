import type PostalMime from 'postal-mime'
import type { Attachment } from 'postal-mime'

/** A part as postal-mime keeps it; its types leave that out. */
type Part = {
  childNodes: Part[]
  parentNode?: Part
  content: ArrayBuffer | null
  contentType: { parsed: { value: string } }
  contentTransferEncoding: { encoding: string }
}

const LF = 0x0a
const CR = 0x0d
const CALENDAR = new Set(['text/calendar', 'application/ics'])

/**
 * Attachments with the bytes that were sent. postal-mime ends each line of a part that isn't base64 with a line feed, adds one at
 * the end, and decodes calendars. Those of an email inside the email stay as they are.
 */
export function withBytesAsSent(email: Buffer, parser: PostalMime, attachments: Attachment[]) {
  const { root } = parser as unknown as { root: Part }
  const partOf = buildPartLookup(leavesOf(root), attachments)
  const parts = attachments.map(partOf)
  if (parts.every((part) => !part || isPlainBase64(part))) return attachments
  const hasCarriageReturns = endsLinesWithBoth(email)
  const hasEncodedLineFeeds = email.includes('=0A') || email.includes('=0a')
  return attachments.map((attachment, at) => {
    const part = parts[at]
    if (!part?.content) return attachment
    const isKnown = hasCarriageReturns && !(isQuotedPrintable(part) && hasEncodedLineFeeds)
    return { ...attachment, content: contentAsSent(part, part.content, isKnown) }
  })
}

const leavesOf = (part: Part): Part[] =>
  part.childNodes.length > 0 ? part.childNodes.flatMap(leavesOf) : [part]

/** By the content, which is the same object, or for calendars by their order. */
function buildPartLookup(leaves: readonly Part[], attachments: readonly Attachment[]) {
  const byContent = new Map<unknown, Part>(leaves.map((part) => [part.content, part]))
  const calendars = attachments.filter(({ mimeType }) => CALENDAR.has(mimeType))
  const sent = leaves.filter(({ contentType }) => CALENDAR.has(contentType.parsed.value))
  // An email inside the email has one, too: then it isn't known which is which.
  const isOrdered = calendars.length === sent.length
  const byAttachment = new Map(isOrdered ? calendars.map((one, at) => [one, sent[at]]) : [])
  return (attachment: Attachment) =>
    byContent.get(attachment.content) ?? byAttachment.get(attachment)
}

const isBase64 = ({ contentTransferEncoding }: Part) =>
  contentTransferEncoding.encoding.includes('base64')

const isQuotedPrintable = ({ contentTransferEncoding }: Part) =>
  contentTransferEncoding.encoding.includes('quoted-printable')

const isPlainBase64 = (part: Part) => isBase64(part) && !CALENDAR.has(part.contentType.parsed.value)

/** Whether each line of the email ends with a carriage return and a line feed, as the standard wants. */
function endsLinesWithBoth(email: Buffer) {
  for (let at = email.indexOf(LF); at >= 0; at = email.indexOf(LF, at + 1))
    if (email[at - 1] !== CR) return false
  return true
}

/** The last line end of a part belongs to the delimiter below it. */
function contentAsSent(part: Part, content: ArrayBuffer, hasCarriageReturns: boolean) {
  const bytes = Buffer.from(content)
  if (isBase64(part)) return bytes
  const sent = part.parentNode && bytes.at(-1) === LF ? bytes.subarray(0, -1) : bytes
  // Line ends that were encoded are there already.
  if (!hasCarriageReturns || sent.includes(CR) || !sent.includes(LF)) return sent
  return Buffer.from(sent.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')
}
