import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Runner } from './db.ts'
import { addMail, type ConfirmedForm, type OutboxMail } from './outbox.ts'
import { addSaltOfToday, hashOf, TODAY } from './salts.ts'
import { confirmations, dailySalts } from './tables.ts'

/** Automatic confirmations per form, address and rolling day: anyone can type anyone's address. */
const PER_DAY = 3
const DAY = sql.raw(`interval '24 hours'`)

const CONFIRMATION_EMAIL = 'confirmation-email'

type Sender = { email: string | null; emailVerified: boolean }

type Confirmation = {
  form: ConfirmedForm
  /** Who sends the form; their own verified address is exempt. */
  visitor: Sender | null
  mail: Omit<OutboxMail, 'id'>
}

/** Queues a confirmation within the address's budget; false if omitted. */
export async function addConfirmation(tx: Runner, { form, visitor, mail }: Confirmation) {
  const isWithin = isProven(visitor, mail.recipient) || (await spend(tx, form, mail.recipient))
  if (isWithin) await addMail(tx, mail)
  return isWithin
}

/** Tells the page whether to mention an email. */
export const confirmationHeaders = (isConfirmed: boolean | null) =>
  isConfirmed === null ? {} : { [CONFIRMATION_EMAIL]: isConfirmed ? 'queued' : 'omitted' }

/** The same for openapi.json. */
export const CONFIRMATION_HEADERS = {
  [CONFIRMATION_EMAIL]: {
    description:
      'Whether a confirmation was queued for the address in the body, or omitted because that address got too many within 24 hours',
    schema: { type: 'string', enum: ['queued', 'omitted'] },
  },
}

const isProven = (visitor: Sender | null, address: string) =>
  visitor?.emailVerified === true && visitor.email?.toLowerCase() === address.toLowerCase()

/** Counts one confirmation in the transaction of its mail; false where the budget is used up. */
async function spend(tx: Runner, form: string, address: string) {
  const counted = `${form} ${foldAddress(address)}`
  await addSaltOfToday(tx)
  // Advisory lock per address: concurrent requests see each other's counts.
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`confirmation ${counted}`}, 0))`,
    'prepared',
  )
  const rows = await tx.query(
    sql`with hashes as (
      select day, ${hashOf(counted)} as hash
      from ${dailySalts}
    )
    insert into ${confirmations} (id, address_hash)
    select ${uuidv7()}, hash from hashes where day = ${TODAY} and ${PER_DAY} > (
      select count(*) from ${confirmations}
      where address_hash in (select hash from hashes) and queued_at > now() - ${DAY})
    returning id`,
    'prepared',
  )
  return rows.length > 0
}

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
