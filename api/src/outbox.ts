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

/** Whoever sends a mail says so again before this is over; when nobody does, another may send it. */
const HOLD_SECONDS = 10
/** After the first failure, and a step more after each; a relay that is back gets everything within the longest. */
const PAUSE_STEP_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 30
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

/** How many wait, and for how long the oldest of them. */
export async function waitingMails(db: Runner) {
  const [row] = await db.query(
    sql`select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0) as seconds from ${outbox}`,
  )
  return { count: Number(row?.['count']), oldestSeconds: Number(row?.['seconds']) }
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
    sql`update ${outbox} set next_try_at = ${inSeconds(sql`${HOLD_SECONDS}`)} where id = ${id}`,
  )

/** Not this time. */
export const postponeMail = (db: Runner, id: string) =>
  db.query(
    sql`update ${outbox} set next_try_at = ${inSeconds(sql`least(${LONGEST_PAUSE_SECONDS}::int, ${PAUSE_STEP_SECONDS} * attempts)`)}
      where id = ${id}`,
  )

export const dropMail = (db: Runner, id: string) =>
  db.query(sql`delete from ${outbox} where id = ${id}`)

/** The notice says that an address waits here for seven days at most. Returns the ids given up. */
export async function giveUpMails(db: Runner): Promise<string[]> {
  const rows = await db.query(
    sql`delete from ${outbox} where created_at < now() - make_interval(days => ${KEPT_DAYS}) returning id`,
  )
  return rows.map((row) => String(row['id']))
}

const inSeconds = (seconds: SQL) => sql`now() + make_interval(secs => ${seconds})`
