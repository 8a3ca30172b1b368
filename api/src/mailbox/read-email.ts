import { contentKeyOf } from './content-key.ts'
import { addressesOf, onlySender, type EmailAddress } from './email-addresses.ts'
import { readBounce, type Bounce } from './bounce.ts'
import { cleanLine, cleanLines, cutText } from './clean-text.ts'
import { decodeWords } from './decode-words.ts'
import { emailFile, filesOf, textFile, type EmailFile } from './email-files.ts'
import { readHead, withReadableHead, type EmailHead } from './email-head.ts'
import { htmlToText } from './html-to-text.ts'
import { splitNewText } from './new-text.ts'
import { parseBody, type ParsedBody } from './parse-body.ts'
import { isSenderProven } from './sender-proof.ts'
import { whyAutomatic } from './automatic.ts'

/** What is known of an email from its bytes alone. Plain data: it is passed between threads. */
export type ReadEmail = {
  contentKey: string
  messageId: string | null
  /** Null if there is more than one From line or address. */
  from: EmailAddress | null
  /** All that From lines name. */
  fromAddresses: string[]
  isProven: boolean
  /** Delivered-To, X-Original-To, To and Cc, in this order. */
  recipients: string[]
  copies: EmailAddress[]
  inReplyTo: string[]
  references: string[]
  /** Empty if there is none: whoever shows it says so. */
  subject: string
  text: string
  /** Quotes and signature, or the text with what is new in between. */
  quoted: string
  files: EmailFile[]
  /** Attachments beyond the limit: they are only in the email as it came. */
  filesLeftOut: number
  kind: 'person' | 'automatic' | 'bounce'
  /** The field that says so; null of a person. */
  automaticBecause: string | null
  bounce: Bounce | null
  /** Nothing could be read: it is attached as it came. */
  isUnreadable: boolean
}

export type ReadOptions = {
  /** Name of the server whose Authentication-Results counts; null if none does. */
  authserv: string | null
}

/** What `messages.body` holds. */
const TEXT_MAX = 10_000
const SUBJECT_MAX = 200
const NAME_MAX = 200
const IDS_MAX = 50
const RECIPIENTS_MAX = 1_000
const UNREADABLE = 'This email couldn’t be read. It is attached as it came.'

export async function readEmail(raw: Buffer, options: ReadOptions): Promise<ReadEmail> {
  const email = withReadableHead(raw)
  const head = readHead(email)
  const body = await parseBody(email, head.bodyStart)
  if (!body) return readHeadOnly(raw, options)
  const text = cleanLines(body.text.trim() || htmlToText(body.html)).trim()
  const { files, filesLeftOut, hasPicture, isHtmlLost } = filesOf(body, text)
  const isSeen = text !== '' || body.attachments.length > 0 || hasPicture
  if (!isSeen && hasContent(email, body, head.bodyStart)) return readHeadOnly(raw, options)
  const bounce = readBounce({ head, text, attachments: body.attachments })
  const { text: newText, quoted, isCut } = splitNewText(text)
  const isLong = isCut || newText.length > TEXT_MAX
  return {
    ...fieldsOf(email, options),
    ...(bounce ? { kind: 'bounce', bounce } : {}),
    text: cutText(newText, TEXT_MAX),
    quoted,
    files: [...files, ...(isLong ? [textFile(text)] : []), ...(isHtmlLost ? [emailFile(raw)] : [])],
    filesLeftOut,
    isUnreadable: false,
  }
}

/** What the head alone says, with the email attached as it came. */
export function readHeadOnly(raw: Buffer, options: ReadOptions): ReadEmail {
  return {
    ...fieldsOf(withReadableHead(raw), options),
    text: UNREADABLE,
    quoted: '',
    files: [emailFile(raw)],
    filesLeftOut: 0,
    isUnreadable: true,
  }
}

function fieldsOf(email: Buffer, { authserv }: ReadOptions) {
  const head = readHead(email)
  const from = onlySender(head.all('from'))
  const automaticBecause = whyAutomatic(head)
  return {
    contentKey: contentKeyOf(email),
    messageId: idsOf(head, 'message-id')[0] ?? null,
    from: from && toNamed(from),
    fromAddresses: addressesOf(head.all('from')).map(({ address }) => address),
    isProven: isSenderProven(head, authserv),
    recipients: recipientsOf(head).map(({ address }) => address),
    copies: addressesOf(head.all('cc')).slice(0, RECIPIENTS_MAX).map(toNamed),
    inReplyTo: idsOf(head, 'in-reply-to').slice(0, IDS_MAX),
    references: idsOf(head, 'references').slice(-IDS_MAX),
    subject: cleanLine(decodeWords(head.first('subject') ?? ''), SUBJECT_MAX),
    kind: automaticBecause === null ? ('person' as const) : ('automatic' as const),
    automaticBecause,
    bounce: null,
  }
}

const toNamed = ({ address, name }: EmailAddress) => ({ address, name: cleanLine(name, NAME_MAX) })

const recipientsOf = (head: EmailHead) =>
  addressesOf(
    ['delivered-to', 'x-original-to', 'to', 'cc'].flatMap((name) => head.all(name)),
  ).slice(0, RECIPIENTS_MAX)

const idsOf = (head: EmailHead, name: string) =>
  head.all(name).flatMap((value) => value.match(/<[^<>\s]{3,300}>/g) ?? [])

/** Lines that only say how parts are separated. */
const STRUCTURE = /^(?:--[^\n]*|[!-9;-~]+:[^\n]*(?:\n[ \t][^\n]*)*)$/gm
const CONTENT_WITHIN = 100_000

/** Whether there is anything in a body in which nothing was found: people also send a subject alone. */
function hasContent(email: Buffer, { html }: ParsedBody, bodyStart: number) {
  if (html !== '') return /<(?:img|svg|object|embed|video|iframe)\b/i.test(html)
  const body = email.toString('latin1', bodyStart, bodyStart + CONTENT_WITHIN)
  return body.replaceAll('\r', '').replaceAll(STRUCTURE, '').trim() !== ''
}
