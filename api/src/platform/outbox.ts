import type { SiteConfig } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Runner } from './db.ts'
import { outbox } from './tables.ts'

export type OutboxMail<Data extends object = object> = {
  id: string
  kind: string
  recipient: string
  data: Data
}

/** A kind of mail: what its words are made of, read from the records when it is sent, and the words. */
export type Mail<Data extends object = object, Facts = unknown> = {
  /** Null where there is nothing left to tell, or nothing more to this address. */
  facts(db: Runner, mail: OutboxMail<Data>): Promise<Facts | null>
  text(facts: Facts, config: SiteConfig): { subject: string; text: string }
  /** SQL: the record that a row of the outbox (`o`) tells about, as JSON; where an admin goes when it can't be delivered. */
  about: SQL
  /** SQL: whether somebody still has to act upon it. Such a mail shows on the desk from its first failure on. */
  isOpenAlert?: SQL
  /** The form it confirms: anyone can type anyone's address, so it is sent within that address's budget. */
  confirms?: ConfirmedForm
}

/** Kinds by name. */
export type Mails = Readonly<Record<string, Mail>>

/** What a mail is told when it is promised: ids, so that nothing personal but the address waits in the outbox. */
export type DataOf<M> = M extends Mail<infer Data> ? Data : never

export const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`

/** Confirmations are counted apart, so that one form can't use up the other's. */
export type ConfirmedForm = 'contact' | 'privacy'

/** The code of a mail that must not be sent, because what it tells about was deleted or is no longer so. */
export const OUTDATED = 'outdated'

/** Where PostgreSQL notifies of mails to be sent. */
export const OUTBOX_CHANNEL = 'gatehouse_outbox'

/** The notice: an address is kept so long for a mail on its way, and once more so long when it can't be delivered. */
const KEPT_DAYS = 7

/** In the transaction of what the mail tells about: both are kept, or neither. The commit wakes the workers. */
export async function addMail(tx: Runner, mail: Omit<OutboxMail, 'id'>) {
  await tx.query(
    sql`with added as (insert into ${outbox} (id, kind, recipient, data)
        values (${uuidv7()}, ${mail.kind}, ${mail.recipient}, ${JSON.stringify(mail.data)}::jsonb) returning id)
      ${NOTIFY} from added`,
    'prepared',
  )
}

/** How many wait, for how long the oldest of them, and how many dead letters somebody could still send. */
export async function countMails(db: Runner) {
  const [row] = await db.query(
    sql`select count(*) filter (where failed_at is null) as waiting,
        coalesce(extract(epoch from now() - min(created_at) filter (where failed_at is null)), 0) as seconds,
        count(*) filter (where failed_at is not null and recipient is not null and code <> ${OUTDATED}) as dead
      from ${outbox}`,
  )
  return {
    waiting: Number(row?.['waiting']),
    oldestSeconds: Number(row?.['seconds']),
    dead: Number(row?.['dead']),
  }
}

/** Counts an attempt, and says which it is. Null where the mail is gone, or a dead letter. */
export async function beginAttempt(db: Runner, id: string) {
  const [row] = await db.query(
    sql`update ${outbox} set attempts = attempts + 1 where id = ${id} and failed_at is null
      returning id, kind, recipient, data, attempts`,
    'prepared',
  )
  return (row as (OutboxMail & { attempts: number }) | undefined) ?? null
}

/** Not this time. */
export const noteFailure = (db: Runner, id: string, code: string) =>
  db.query(
    sql`update ${outbox} set code = ${code} where id = ${id} and failed_at is null`,
    'prepared',
  )

/** The relay has it. */
export const dropMail = (db: Runner, id: string) =>
  db.query(sql`delete from ${outbox} where id = ${id}`, 'prepared')

/** Nothing tries it again until somebody says so. */
export const failMail = (db: Runner, id: string, code: string) =>
  db.query(sql`update ${outbox} set code = ${code}, ${FAILED} where id = ${id}`)

/** What was tried for seven days is a dead letter; one that was sent again ends when its address has to go. */
export async function expireMails(db: Runner) {
  const rows = await db.query(
    sql`update ${outbox} set code = coalesce(code, 'expired'), ${FAILED}
      where failed_at is null and coalesce(address_until, created_at + ${KEPT}) < now()
      returning id, kind, code`,
  )
  return rows as { id: string; kind: string; code: string }[]
}

/** What stays of a dead letter is its kind, its record and its code. */
export const forgetAddresses = (db: Runner) =>
  db.query(
    sql`update ${outbox} set recipient = null,
        data = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(data) where key like '%Id')
      where failed_at is not null and recipient is not null and address_until < now()`,
  )

/** Sends a dead letter again: it waits anew, but its address is not kept any longer for that. */
export async function retryMail(db: Runner, id: string) {
  const [mail] = await db.query(
    sql`select failed_at is null as "isWaiting", recipient is null as "isNobodys" from ${outbox}
      where id = ${id} for update`,
  )
  if (!mail) return 'unknown'
  if (mail['isWaiting']) return 'waiting'
  if (mail['isNobodys']) return 'address-gone'
  await db.query(
    sql`with again as (update ${outbox} set failed_at = null, attempts = 0, created_at = now()
        where id = ${id} returning id)
      ${NOTIFY} from again`,
  )
  return 'queued'
}

const KEPT = sql.raw(`interval '${KEPT_DAYS} days'`)
const FAILED = sql`failed_at = now(), address_until = coalesce(address_until, now() + ${KEPT})`
const NOTIFY = sql.raw(`select pg_notify('${OUTBOX_CHANNEL}', '')`)
