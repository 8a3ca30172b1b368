import { addressesOf, toLowerAscii } from './email-addresses.ts'
import type { EmailHead } from './email-head.ts'
import type { ReplyTokens } from './reply-tokens.ts'

/** A field that programs write and people don't: RFC 3834, and what others do instead. */
const SIGNS: [string, RegExp][] = [
  ['auto-submitted', /^(?!no\s*(?:[;(]|$))./i],
  ['precedence', /bulk|list|junk|auto_reply/i],
  ['list-id', /./],
  ['list-unsubscribe', /./],
  ['x-autoreply', /./],
  ['x-autorespond', /./],
  ['x-loop', /./],
  ['x-auto-response-suppress', /^(?!none\s*$)./i],
  ['return-path', /^<\s*>$/],
  ['content-type', /^multipart\/report\b/i],
]
const PROGRAM = /^mailer-daemon@|(?:^|[-_.+])(?:no[-_.]?reply|do[-_.]?not[-_.]?reply)(?=[-_.+@\d])/

/** Why a program must have written it; null if nothing says so. Nothing automatic is ever answered. */
export function whyAutomatic(head: Pick<EmailHead, 'all'>): string | null {
  const sign = SIGNS.find(([name, pattern]) => head.all(name).some((value) => pattern.test(value)))
  if (sign) return sign[0]
  const isProgram = addressesOf(head.all('from')).some(({ address }) => PROGRAM.test(address))
  return isProgram ? 'from' : null
}

type Origin = { messageId: string | null; fromAddresses: readonly string[] }
type Desk = { tokens: Pick<ReplyTokens, 'emailOfMessageId'>; addresses: readonly string[] }

/** An email of ours that came back, by a rule that forwards or by a copy to ourselves. */
export function isOwnEmail({ messageId, fromAddresses }: Origin, { tokens, addresses }: Desk) {
  const isSigned = messageId !== null && tokens.emailOfMessageId(messageId) !== null
  const own = new Set(addresses.map(withoutTag))
  return isSigned || fromAddresses.some((address) => own.has(withoutTag(address)))
}

/** `desk+42.mac@…` is the desk, too. */
const withoutTag = (address: string) => toLowerAscii(address).replace(/\+[^@]*(?=@)/, '')
