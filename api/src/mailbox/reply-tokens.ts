import { createHmac } from 'node:crypto'
import { deriveKeys, isSameSignature } from '#platform/signing-keys.ts'
import { fromBase32, toBase32 } from './base32.ts'
import { toLowerAscii } from './email-addresses.ts'

/** 80 bits. */
const MAC_BYTES = 10
/** RFC 5321, 4.5.3.1.1. */
const LOCAL_PART_MAX = 64

const NUMBER = String.raw`(\d{1,10})`
const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'
const PACKED_UUID = '([a-z2-7]{26})'
const MAC = '([a-z2-7]{16})'

type ReplyTokenParts = {
  /** The first signs, all verify, so that a secret can be replaced. */
  secrets: readonly string[]
  /** The desk's address. */
  desk: string
}

export type ReplyTokens = ReturnType<typeof buildReplyTokens>

/** Fields of an email that may name a ticket. */
export type EmailReferences = {
  recipients: readonly string[]
  inReplyTo: readonly string[]
  references: readonly string[]
}

/**
 * Signed addresses and Message-IDs of emails about tickets. They say which ticket an email is about, and nothing about its
 * sender: addresses are forwarded and quoted.
 */
export function buildReplyTokens({ secrets, desk }: ReplyTokenParts) {
  if (secrets.length === 0) throw new Error('there is no secret to sign email with')
  const [local = '', domain = ''] = toLowerAscii(desk).split('@')
  const [reply, sent, bounce] = ['reply address', 'message id', 'return path'].map((purpose) =>
    buildMacs(deriveKeys(secrets, `email ${purpose}`)),
  ) as [Macs, Macs, Macs]
  const replyPattern = pattern(`${escape(local)}[+]${NUMBER}[.]${MAC}@${escape(domain)}`)
  const sentPattern = pattern(`<${UUID}[.]${NUMBER}[.]${MAC}@${escape(domain)}>`)
  const bouncePattern = pattern(`${escape(local)}[+]b[.]${PACKED_UUID}[.]${MAC}@${escape(domain)}`)

  /** Null if a mail server would refuse its length. */
  const addressOf = (tag: string) => {
    const long = `${local}+${tag}`
    return long.length > LOCAL_PART_MAX ? null : `${long}@${domain}`
  }

  /** The ticket of a reply address. */
  const ticketOfAddress = (address: string) => {
    const [, number = '', mac = ''] = replyPattern.exec(toLowerAscii(address)) ?? []
    return reply.verify(number, mac) ? Number(number) : null
  }

  /** The email of ours that has this Message-ID. */
  const emailOfMessageId = (messageId: string) => {
    const [, id = '', number = '', mac = ''] = sentPattern.exec(toLowerAscii(messageId)) ?? []
    return sent.verify(`${id} ${number}`, mac) ? { id, ticket: Number(number) } : null
  }

  return {
    replyAddress: (ticket: number) => addressOf(`${ticket}.${reply.sign(String(ticket))}`),
    /** The same for each attempt. It names the ticket, so no table of sent emails is needed to join an answer. */
    messageId: (id: string, ticket: number) =>
      `<${id}.${ticket}.${sent.sign(`${id} ${ticket}`)}@${domain}>`,
    /** Where a bounce goes. The ticket's number would make it longer than a local part may be. */
    returnPath: (id: string) => {
      const packed = packUuid(id)
      return addressOf(`b.${packed}.${bounce.sign(packed)}`)
    },
    ticketOfAddress,
    emailOfMessageId,
    /** The id of the email of ours that could not be delivered. */
    emailOfReturnPath: (address: string) => {
      const [, packed = '', mac = ''] = bouncePattern.exec(toLowerAscii(address)) ?? []
      return bounce.verify(packed, mac) ? unpackUuid(packed) : null
    },
    /** The ticket an email is about. Relays replace Message-IDs and people write new emails to a reply address: both count. */
    ticketOf: ({ recipients, inReplyTo, references }: EmailReferences) =>
      firstOf(recipients, ticketOfAddress) ??
      firstOf([...inReplyTo, ...references.toReversed()], emailOfMessageId)?.ticket ??
      null,
  }
}

type Macs = ReturnType<typeof buildMacs>

function buildMacs(keys: readonly Buffer[]) {
  const macOf = (key: Buffer, text: string) =>
    toBase32(createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES))
  return {
    sign: (text: string) => macOf(keys[0] as Buffer, text),
    verify: (text: string, mac: string) =>
      keys.some((key) => isSameSignature(macOf(key, text), mac)),
  }
}

function firstOf<T>(texts: readonly string[], find: (text: string) => T | null) {
  for (const text of texts) {
    const found = find(text)
    if (found !== null) return found
  }
  return null
}

const packUuid = (id: string) => toBase32(Buffer.from(id.replaceAll('-', ''), 'hex'))

const unpackUuid = (packed: string) =>
  Buffer.from(fromBase32(packed))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const pattern = (source: string) => new RegExp(`^${source}$`)
const escape = (text: string) => text.replaceAll(/[^a-z0-9]/g, String.raw`\$&`)
