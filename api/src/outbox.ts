import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Runner } from './db.ts'
import type { MailKind, MailData } from './mail-texts.ts'
import { outbox } from './table.ts'

export type OutboxMail<K extends MailKind = MailKind> = {
  id: string
  kind: K
  recipient: string
  data: MailData[K]
}

/** The code of a mail that must not be sent, because what it tells about was deleted or is no longer so. */
export const OUTDATED = 'outdated'

/** Whoever sends a mail says so again before this is over; when nobody does, another may send it. */
const HOLD_SECONDS = 10
/** After the first failure, and a step more after each. */
const PAUSE_STEP_SECONDS = 5
/** A relay that is back gets everything within this. */
const LONGEST_PAUSE_SECONDS = 30
/** One that answers and refuses is not asked as often: some lock out who asks too much. */
const LONGEST_PAUSE_REFUSED_SECONDS = 600
/** The notice: an address is kept so long for a mail on its way, and once more so long when it can't be delivered. */
const KEPT_DAYS = 7
const DUE_MAX = 500

/** Promises a mail, in the transaction of what it tells about: both are kept, or neither. */
export async function addMail<K extends MailKind>(tx: Runner, mail: Omit<OutboxMail<K>, 'id'>) {
  await tx.query(
    sql`insert into ${outbox} (id, kind, recipient, data)
      values (${uuidv7()}, ${mail.kind}, ${mail.recipient}, ${JSON.stringify(mail.data)}::jsonb)`,
  )
}

/** The ids of what should be on its way by now. */
export async function dueMails(db: Runner): Promise<string[]> {
  const rows = await db.query(
    sql`select id from ${outbox} where next_try_at <= now() order by next_try_at limit ${DUE_MAX}`,
  )
  return rows.map((row) => String(row['id']))
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

/** Takes a mail for one try. Whoever comes second gets nothing, until it is given back or its holder has gone. */
export async function takeMail(db: Runner, id: string): Promise<OutboxMail | null> {
  const [row] = await db.query(
    sql`update ${outbox} set attempts = attempts + 1, next_try_at = ${inSeconds(sql`${HOLD_SECONDS}`)}
      where id = ${id} and next_try_at <= now() returning id, kind, recipient, data`,
  )
  return (row as OutboxMail | undefined) ?? null
}

/** Still at it: relays may take their time to look into a mail. */
export const holdMail = (db: Runner, id: string) =>
  db.query(
    sql`update ${outbox} set next_try_at = ${inSeconds(sql`${HOLD_SECONDS}`)}
      where id = ${id} and failed_at is null`,
  )

/** Not this time. */
export async function postponeMail(db: Runner, id: string, code: string) {
  const longest = code.startsWith('5') ? LONGEST_PAUSE_REFUSED_SECONDS : LONGEST_PAUSE_SECONDS
  await db.query(
    sql`update ${outbox} set code = ${code},
        next_try_at = ${inSeconds(sql`least(${longest}::int, ${PAUSE_STEP_SECONDS} * attempts)`)}
      where id = ${id} and failed_at is null`,
  )
}

/** The relay has it. */
export const dropMail = (db: Runner, id: string) =>
  db.query(sql`delete from ${outbox} where id = ${id}`)

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
    sql`update ${outbox} set failed_at = null, next_try_at = now(), attempts = 0, created_at = now()
      where id = ${id}`,
  )
  return 'queued'
}

const KEPT = sql.raw(`interval '${KEPT_DAYS} days'`)
/** Never due, for a release that knows no dead letters either. */
const FAILED = sql`failed_at = now(), next_try_at = 'infinity',
  address_until = coalesce(address_until, now() + ${KEPT})`

const inSeconds = (seconds: SQL) => sql`now() + make_interval(secs => ${seconds})`
