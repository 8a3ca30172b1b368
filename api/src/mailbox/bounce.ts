import type { Attachment } from 'postal-mime'
import { whyAutomatic } from './automatic.ts'
import { addressesOf, toLowerAscii } from './email-addresses.ts'
import type { EmailHead } from './email-head.ts'

export type Bounce = {
  /** `permanent`: the address is dead (5.x.x). `temporary`: not now (4.x.x). */
  kind: 'permanent' | 'temporary'
  /** RFC 3463, such as 5.1.1; empty if none is given. */
  status: string
  /** Addresses that were not reached. Anybody can write them: they are only believed with our mac. */
  recipients: string[]
  /** Message-IDs of what was returned. */
  returnedIds: string[]
}

type BounceParts = { head: EmailHead; text: string; attachments: readonly Attachment[] }

const RETURNED_MAX = 64_000
const TEXT_MAX = 20_000
const REPORT = /^message\/(?:global-)?delivery-status$/
const RETURNED = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/global-headers)$/
const NOT_REACHED = /^(?:failed|delayed)$/i

/** Null if the email reports no failed delivery. People also forward reports. */
export function readBounce(parts: BounceParts): Bounce | null {
  const { head, attachments } = parts
  const reports = attachments.filter(({ mimeType }) => REPORT.test(mimeType))
  if (reports.length === 0) return fromText(parts)
  return whyAutomatic(head) !== null || isFromServer(head) ? fromReports(reports, parts) : null
}

/** RFC 3464: a block about the report, then one for each recipient. */
function fromReports(reports: readonly Attachment[], { text, attachments }: BounceParts) {
  const failures = reports
    .flatMap((report) => textOf(report).split(/\r?\n[ \t]*\r?\n/))
    .map((block) => ({
      recipient: fieldOf(block, 'final-recipient') || fieldOf(block, 'original-recipient'),
      status: /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldOf(block, 'status'))?.[0] ?? '',
      action: fieldOf(block, 'action').replace(/\W.*$/, ''),
    }))
    .filter(({ recipient, action, status }) =>
      action ? NOT_REACHED.test(action) : recipient !== '' && /^[45]/.test(status),
    )
  const [first] = failures
  if (!first) return null
  const isPermanent = (one: typeof first) =>
    one.status ? one.status.startsWith('5') : /^failed$/i.test(one.action)
  const counted = failures.find(isPermanent) ?? first
  return {
    kind: isPermanent(counted) ? ('permanent' as const) : ('temporary' as const),
    status: counted.status,
    recipients: failures
      .filter((one) => isPermanent(one) === isPermanent(counted))
      .flatMap(({ recipient }) => addressOf(recipient)),
    returnedIds: returnedIds(attachments, text),
  }
}

const SENDER = /^(?:mailer-daemon|postmaster|mail-daemon|mailerdaemon)@/
const FAILED =
  /undeliver|not be delivered|delivery (?:has )?(?:failed|failure|status)|returned (?:mail|to sender)|failure notice|permanent (?:fatal )?error|unzustellbar|nicht zugestellt|non remis|no entregado/i
/** An enhanced status, or the code of an SMTP reply at the beginning of one. */
const STATUS = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/
const REPLY_CODE = /(?:^|[\s:])([45]\d\d)[ -](?=\S)/m

/** Exim, qmail and others write to people. An automatic answer, which also has an empty return path, says none of this. */
function fromText({ head, text, attachments }: BounceParts): Bounce | null {
  const failed = addressesOf(head.all('x-failed-recipients')).map(({ address }) => address)
  const start = text.slice(0, TEXT_MAX)
  const hasFailed = FAILED.test(head.first('subject') ?? '') || FAILED.test(start)
  if (failed.length === 0 && !(isFromServer(head) && hasFailed)) return null
  const status = STATUS.exec(start)?.[1] ?? ''
  const code = status || (REPLY_CODE.exec(start)?.[1] ?? '')
  const isTemporary = code ? code.startsWith('4') : /delayed|will (?:be )?retr/i.test(start)
  return {
    kind: isTemporary ? 'temporary' : 'permanent',
    status,
    recipients:
      failed.length > 0
        ? failed
        : (start.match(/<[^\s<>@]+@[^\s<>@]+>(?=:)/) ?? []).flatMap(addressOf),
    returnedIds: returnedIds(attachments, text),
  }
}

const isFromServer = (head: EmailHead) =>
  addressesOf(head.all('from')).some(({ address }) => SENDER.test(address))

/** Of the heads that came back; programs without a report quote them in the text. */
function returnedIds(attachments: readonly Attachment[], text: string) {
  const heads = attachments
    .filter(({ mimeType }) => RETURNED.test(mimeType))
    .map((file) => textOf(file).split(/\r?\n\r?\n/, 1)[0] ?? '')
  const ids = [...heads, text.slice(0, RETURNED_MAX)].flatMap((source) =>
    [...source.matchAll(/^[> \t]*message-id:\s*(<[^<>\s]{3,300}>)/gim)].map(([, id = '']) => id),
  )
  return [...new Set(ids)]
}

function fieldOf(block: string, name: string) {
  const unfolded = block.replaceAll(/\r?\n[ \t]+/g, ' ')
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
}

/** Without its type: `rfc822; erika@client.example`. */
const addressOf = (recipient: string) =>
  addressesOf([toLowerAscii(recipient.replace(/^[^;]*;\s*/, ''))]).map(({ address }) => address)

const textOf = ({ content }: Attachment) =>
  typeof content === 'string'
    ? content.slice(0, RETURNED_MAX)
    : Buffer.from(new Uint8Array(content).subarray(0, RETURNED_MAX)).toString('utf8')
