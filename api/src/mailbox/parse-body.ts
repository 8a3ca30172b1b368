import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { withBytesAsSent } from './attachment-bytes.ts'
import { limitDepth } from './html-depth.ts'
import { charsetDecoderFor, withBytesAsText } from './repair-charset.ts'
import { repairStructure } from './repair-structure.ts'

export type ParsedBody = { text: string; html: string; attachments: Attachment[] }

const NESTING_MAX = 100
/** A bomb of parts that each have a head. */
const PART_HEADS_MAX = 2_000_000

/** The first delimiter, as it stands above the head of a part. */
const DELIMITER = /^--([^\s"][^\r\n"]{0,199}?)[ \t]*\r?\n(?=content-[a-z-]+:)/im
const DELIMITER_WITHIN = 100_000

/** Null if it has no structure that can be read. The head was made readable. */
export async function parseBody(email: Buffer, bodyStart: number): Promise<ParsedBody | null> {
  const parsed = await parse(email)
  if (!parsed) return null
  const repaired = repairStructure(email, parsed)
  if (repaired) return withRepairedText(repaired, (await parse(repaired)) ?? parsed)
  if (!isEmpty(parsed)) return withRepairedText(email, parsed)
  // A multipart whose boundary is missing or another one has no part at all.
  const body = email.toString('latin1', bodyStart, bodyStart + DELIMITER_WITHIN)
  const [, boundary] = DELIMITER.exec(body) ?? []
  if (!boundary) return withRepairedText(email, parsed)
  const mended = withField(email, `Content-Type: multipart/mixed; boundary="${boundary}"`)
  return withRepairedText(mended, (await parse(mended)) ?? parsed)
}

async function parse(email: Buffer): Promise<Email | null> {
  const parser = new PostalMime({
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: PART_HEADS_MAX,
  })
  const parsed = await parser.parse(email).catch(() => null)
  return parsed && { ...parsed, attachments: withBytesAsSent(email, parser, parsed.attachments) }
}

const isEmpty = ({ text, html, attachments }: Email) => !text && !html && attachments.length === 0

/** Texts whose charset is unknown, missing or wrong are parsed once more, as bytes. */
async function withRepairedText(email: Buffer, parsed: Email): Promise<ParsedBody> {
  const { text = '', html = '', attachments } = parsed
  const decode = charsetDecoderFor(email, text + html)
  const asBytes = decode && (await parse(withBytesAsText(email)))
  return asBytes
    ? {
        text: decode(asBytes.text ?? ''),
        html: limitDepth(decode(asBytes.html ?? '')),
        attachments,
      }
    : { text, html: limitDepth(html), attachments }
}

/** The first of two equal fields counts. */
const withField = (email: Buffer, field: string) =>
  Buffer.concat([Buffer.from(`${field}\r\n`, 'latin1'), email])
