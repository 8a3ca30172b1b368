import { createHash } from 'node:crypto'
import { toLowerAscii } from './email-addresses.ts'

/** Facts about an email, looked up by the caller. An altered mac, or that of another ticket, names no ticket. */
export type EmailFacts = {
  /** Sent by us (`isOwnEmail`). */
  isOwn: boolean
  kind: 'person' | 'automatic' | 'bounce'
  /** A right mac names a ticket that exists. */
  hasTicket: boolean
  /** A right mac names the email of ours that came back. */
  hasSentEmail: boolean
  /** `isSenderProven`. */
  isProven: boolean
  /**
   * Whom the address belongs to. `participant`: the ticket's address, a contact who may see the ticket, or one of its `copies`.
   * `contact`: a linked contact.
   */
  who: 'participant' | 'contact' | 'unknown'
  /** One of `desk.alertSenders`. */
  isAlertSender: boolean
  /** The address has opened as many tickets in this hour as one may. */
  isOverTicketLimit: boolean
}

export type Destination =
  | { to: 'nowhere' }
  /** The message is not delivered, staff's turn; or a note, if it may still be. */
  | { to: 'sent-email' }
  /** A line that only staff see: nothing reopens, and no staff are notified. */
  | { to: 'ticket-line' }
  /** Reopens the ticket and notifies staff. */
  | { to: 'message' }
  | { to: 'ticket'; of: 'contact' | 'proven-address' | 'unproven-address'; isAcknowledged: boolean }
  /** One ticket for each `alertKeyOf`, never answered. */
  | { to: 'alert-ticket' }
  | { to: 'held'; because: 'sender' | 'automatic' | 'limit' }

/** Where an email goes. Only a proven sender is a person we know: an address that names a ticket is forwarded and quoted. */
export function chooseDestination(facts: EmailFacts): Destination {
  if (facts.isOwn) return { to: 'nowhere' }
  if (facts.kind === 'bounce' && facts.hasSentEmail) return { to: 'sent-email' }
  if (facts.kind !== 'person' && facts.hasTicket) return { to: 'ticket-line' }
  if (facts.hasTicket)
    return facts.isProven && facts.who === 'participant'
      ? { to: 'message' }
      : { to: 'held', because: 'sender' }
  return chooseNewTicket(facts)
}

function chooseNewTicket(facts: EmailFacts): Destination {
  const isAlert = facts.isAlertSender && facts.isProven && facts.kind !== 'bounce'
  if (facts.kind !== 'person' && !isAlert) return { to: 'held', because: 'automatic' }
  if (facts.isOverTicketLimit) return { to: 'held', because: 'limit' }
  if (isAlert) return { to: 'alert-ticket' }
  if (!facts.isProven) return { to: 'ticket', of: 'unproven-address', isAcknowledged: false }
  const of = facts.who === 'unknown' ? 'proven-address' : 'contact'
  return { to: 'ticket', of, isAcknowledged: true }
}

type Alert = { sender: string; subject: string; receivedAt: Date }

const HOUR_MS = 3_600_000

/** One ticket for a subject and hour: monitoring repeats itself. */
export const alertKeyOf = ({ sender, subject, receivedAt }: Alert) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        toLowerAscii(sender),
        subject.replaceAll(/\s+/g, ' ').trim(),
        Math.floor(receivedAt.getTime() / HOUR_MS),
      ]),
    )
    .digest('hex')
