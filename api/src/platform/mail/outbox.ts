import { sql } from 'drizzle-orm'
import { newId } from '#platform/uuid.ts'
import { onlyRow, type Runner } from '#platform/db.ts'
import { outbox } from '#platform/platform-tables.ts'

export type OutboxMail<Data extends object = object> = {
  id: string
  kind: string
  recipient: string
  data: Data
}

export const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`

/** Forms with separate confirmation budgets. */
export type ConfirmedForm = 'contact' | 'privacy'

/** Code of a mail whose record was deleted or changed since. */
export const OUTDATED = 'outdated'

export const OUTBOX_CHANNEL = 'gatehouse_outbox'

/** Retention of an address, promised by the notice: while it is sent, and again if undeliverable. */
const RETENTION_DAYS = 7

/** Transactional outbox: committed with the change it reports. The commit notifies the workers. */
export async function addMail(tx: Runner, mail: Omit<OutboxMail, 'id'>) {
  await tx.query(
    sql`with added as (insert into ${outbox} (id, kind, recipient, data)
        values (${newId()}, ${mail.kind}, ${mail.recipient}, ${JSON.stringify(mail.data)}::jsonb) returning id)
      ${NOTIFY} from added`,
    'prepared',
  )
}

type MailCounts = { waiting: number; oldestSeconds: number; dead: number }

export async function countMails(db: Runner) {
  const rows = await db.query(
    sql<MailCounts>`select count(*) filter (where failed_at is null) as waiting,
        coalesce(extract(epoch from now() - min(created_at) filter (where failed_at is null)), 0) as "oldestSeconds",
        count(*) filter (where failed_at is not null and recipient is not null and code <> ${OUTDATED}) as dead
      from ${outbox}`,
  )
  return onlyRow(rows)
}

/** Counts an attempt. Null if the mail was deleted or is a dead letter. */
export async function beginAttempt(db: Runner, id: string) {
  const [row] = await db.query(
    sql<OutboxMail & { attempts: number }>`
      update ${outbox} set attempts = attempts + 1 where id = ${id} and failed_at is null
      returning id, kind, recipient, data, attempts`,
    'prepared',
  )
  return row ?? null
}

/** Records a temporary failure. */
export const recordFailure = (db: Runner, id: string, code: string) =>
  db.query(
    sql`update ${outbox} set code = ${code} where id = ${id} and failed_at is null`,
    'prepared',
  )

export const dropMail = (db: Runner, id: string) =>
  db.query(sql`delete from ${outbox} where id = ${id}`, 'prepared')

/** Turns it into a dead letter: no retry until an admin resends it. */
export const failMail = (db: Runner, id: string, code: string) =>
  db.query(sql`update ${outbox} set code = ${code}, ${FAILED} where id = ${id}`)

/** Dead-letters mails after seven days; resent ones when their address expires. */
export function expireMails(db: Runner) {
  return db.query(
    sql<{ id: string; kind: string; code: string }>`update ${outbox}
      set code = coalesce(code, 'expired'), ${FAILED}
      where failed_at is null and coalesce(address_until, created_at + ${RETENTION}) < now()
      returning id, kind, code`,
  )
}

/** Requeues a dead letter, without extending the retention of its address. */
export async function retryMail(db: Runner, id: string) {
  const [mail] = await db.query(
    sql<{ isWaiting: boolean; isNobodys: boolean }>`
      select failed_at is null as "isWaiting", recipient is null as "isNobodys" from ${outbox} where id = ${id} for update`,
  )
  if (!mail) return 'unknown'
  if (mail.isWaiting) return 'waiting'
  if (mail.isNobodys) return 'address-gone'
  await db.query(
    sql`with again as (update ${outbox} set failed_at = null, attempts = 0, created_at = now()
        where id = ${id} returning id)
      ${NOTIFY} from again`,
  )
  return 'queued'
}

/** Column list of mails for jsonb_to_recordset. */
export const MAIL_COLUMNS = sql.raw('id uuid, kind text, recipient text, data jsonb')

const RETENTION = sql.raw(`interval '${RETENTION_DAYS} days'`)
const FAILED = sql`failed_at = now(), address_until = coalesce(address_until, now() + ${RETENTION})`
/** Notifies the workers once the change is committed. */
export const NOTIFY = sql.raw(`select pg_notify('${OUTBOX_CHANNEL}', '')`)
