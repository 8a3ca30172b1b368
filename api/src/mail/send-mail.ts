import type { MailTexts, SiteConfig } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Mails } from '#engine/mail-kind.ts'
import type { RecordReader } from '#engine/records.ts'
import type { Db, IdRow, Runner } from '#platform/db.ts'
import { MailError, type Mailer } from '#platform/mail/mailer.ts'
import {
  beginAttempt,
  dropMail,
  expireMails,
  failMail,
  recordFailure,
  OUTDATED,
  type OutboxMail,
} from '#platform/mail/outbox.ts'
import { outbox } from '#platform/platform-tables.ts'

const QUEUED_AT_ONCE_MAX = 1_000
/** Exponential backoff while the relay is unreachable, capped so that mail leaves soon after it is back. */
const UNREACHABLE_DELAY_SECONDS = { first: 2, longest: 30 }
/** Linear backoff when the relay rejects a mail: some block senders that retry too often. */
const REJECTED_DELAY_SECONDS = { step: 5, longest: 600 }

type MailTools = {
  db: Db
  recordReader: RecordReader
  /** Null without a relay. */
  mailer: Mailer | null
  mails: Mails
  texts: MailTexts
  config: SiteConfig
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

type Queue = {
  /** SQL: IDs already queued. */
  queued: SQL
  unqueue: (tx: Runner, ids: string[]) => Promise<unknown>
}

/** Returns IDs of mails to send. Expires old mails in the same transaction, because expiry has no poll of its own. */
export async function findWaiting({ db, mailer, logger }: MailTools, queue: Queue) {
  const { expired, waiting } = await db.transaction(async (tx) => ({
    expired: await expire(tx, queue),
    waiting: mailer ? await waitingMails(tx, queue) : [],
  }))
  for (const mail of expired) logger.error(mail, 'mail expired undelivered; now a dead letter')
  return waiting
}

/** Sends one mail. Returns the retry delay; undefined if it was delivered or failed for good. */
export async function sendOne(id: string, tools: MailTools) {
  const { db, mailer, logger } = tools
  const mail = mailer ? await beginAttempt(db, id) : null
  if (!mail || !mailer) return
  try {
    await mailer.send({ id, to: mail.recipient, ...(await write(tools, mail)) })
    await dropMail(db, id)
  } catch (error) {
    const { code, isFinal } =
      error instanceof MailError ? error : { code: 'internal-error', isFinal: false }
    logger.warn({ id, kind: mail.kind, code, isFinal, err: error }, 'failed to send mail')
    await (isFinal ? failMail(db, id, code) : recordFailure(db, id, code))
    return isFinal ? undefined : { code, pauseSeconds: pauseAfter(code, mail.attempts) }
  }
}

function pauseAfter(code: string, attempts: number) {
  const { step } = REJECTED_DELAY_SECONDS
  if (code.startsWith('5')) return Math.min(REJECTED_DELAY_SECONDS.longest, step * attempts)
  return Math.min(
    UNREACHABLE_DELAY_SECONDS.longest,
    UNREACHABLE_DELAY_SECONDS.first * 2 ** (attempts - 1),
  )
}

/** Unqueues a dead letter's job, so that a resend doesn't wait for the old retry delay. */
async function expire(tx: Runner, { unqueue }: Queue) {
  const expired = await expireMails(tx)
  const ids = expired.map(({ id }) => id)
  if (ids.length > 0) await unqueue(tx, ids)
  return expired
}

/** EXCEPT, because an anti-join becomes quadratic on tables that grew since their last ANALYZE. */
async function waitingMails(tx: Runner, { queued }: Queue) {
  const rows = await tx.query(
    sql<IdRow>`select id::text as id from ${outbox} where failed_at is null except ${queued}
      order by id limit ${QUEUED_AT_ONCE_MAX}`,
    'prepared',
  )
  return rows.map(({ id }) => id)
}

async function write({ db, recordReader, mails, texts, config }: MailTools, mail: OutboxMail) {
  const kind = Object.hasOwn(mails, mail.kind) ? mails[mail.kind] : undefined
  // Queued by a newer release running alongside.
  if (!kind) throw new MailError({ code: 'unknown-kind', isFinal: false })
  const facts = await kind.facts({ ...recordReader, mail, db })
  if (facts === null) throw new MailError({ code: OUTDATED, isFinal: true })
  return kind.text(facts, config, texts)
}
