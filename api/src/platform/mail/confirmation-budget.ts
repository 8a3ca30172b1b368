import { sql, type SQL } from 'drizzle-orm'
import type { ConfirmedForm } from './outbox.ts'

/** Automatic confirmations per form, address and rolling day: a sender can enter any address. */
const PER_DAY = 3

const CONFIRMATION_EMAIL = 'confirmation-email'

type Sender = { email: string | null; emailVerified: boolean }

type Confirmation = {
  form: ConfirmedForm
  visitor: Sender | null
  recipient: string
}

/** Budget key of a confirmation; none for the sender's own verified address. */
export const budgetOf = ({ form, visitor, recipient }: Confirmation) =>
  isProven(visitor, recipient) ? {} : { budget: `${form} ${foldAddress(recipient)}` }

/** SQL: counts a confirmation; false if its budget is used up. */
export const spendSql = (budget: SQL) => sql`spend_confirmation(${budget}, ${PER_DAY}::int)`

/** Response header that lets the page mention an email. */
export const confirmationHeaders = (isConfirmed: boolean | null) =>
  isConfirmed === null ? {} : { [CONFIRMATION_EMAIL]: isConfirmed ? 'queued' : 'omitted' }

export const CONFIRMATION_HEADERS = {
  [CONFIRMATION_EMAIL]: {
    description:
      'Whether a confirmation was queued for the address in the body, or omitted because that address got too many within 24 hours',
    schema: { type: 'string', enum: ['queued', 'omitted'] },
  },
}

const isProven = (visitor: Sender | null, address: string) =>
  visitor?.emailVerified === true && visitor.email?.toLowerCase() === address.toLowerCase()

/** Mail hosts that ignore dots in the local part, by the name their addresses are counted under. */
const DOTLESS: Record<string, string> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/** Canonical form of addresses that reach the same mailbox. */
export function foldAddress(address: string) {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  // A leading plus is not a subaddress.
  const local = address
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '')
  const host = DOTLESS[domain]
  return host ? `${local.replaceAll('.', '')}@${host}` : `${local}@${domain}`
}
