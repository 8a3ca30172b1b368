import { sql } from 'drizzle-orm'
import type { Runner, IdRow } from '#platform/db.ts'
import { MailError } from '#platform/mail/mailer.ts'
import {
  beginAttempt,
  dropMail,
  expireMails,
  failMail,
  noteFailure,
  OUTBOX_CHANNEL,
  OUTDATED,
  type OutboxMail,
} from '#platform/mail/outbox.ts'
import { outbox } from '#platform/tables.ts'
import type { Job, Tools } from './job.ts'
import { queuedKeys, unqueue } from './queue-state.ts'

const NAME = 'send-mail'
const QUEUED_AT_ONCE_MAX = 1_000
/** Exponential backoff while the relay is unreachable, capped so that mail leaves soon after it is back. */
const AWAY_PAUSE_SECONDS = { first: 2, longest: 30 }
/** Linear backoff when the relay refuses: some block senders that retry too often. */
const REFUSED_PAUSE_SECONDS = { step: 5, longest: 600 }

/** Delivers the outbox to the relay: at least once, with a stable Message-ID. */
export const sendMail: Job = {
  name: NAME,
  channel: OUTBOX_CHANNEL,
  pollMs: 15_000,
  // Limited by seven days, not by a number of attempts.
  retryLimit: 1_000_000,

  /** Expiry runs in the same transaction: it has deadlines, but no poll of its own. */
  async find({ db, mailer, logger }) {
    const { expired, waiting } = await db.transaction(async (tx) => ({
      expired: await expire(tx),
      waiting: mailer ? await waitingMails(tx) : [],
    }))
    for (const mail of expired) logger.error(mail, 'mail not delivered')
    return waiting
  },

  async run(id, tools) {
    const { db, mailer, logger } = tools
    const mail = mailer ? await beginAttempt(db, id) : null
    if (!mail || !mailer) return
    try {
      await mailer.send({ id, to: mail.recipient, ...(await write(tools, mail)) })
      await dropMail(db, id)
    } catch (error) {
      const { code, isFinal } =
        error instanceof MailError ? error : { code: 'internal-error', isFinal: false }
      logger.warn({ id, kind: mail.kind, code, isFinal, err: error }, 'mail not accepted')
      await (isFinal ? failMail(db, id, code) : noteFailure(db, id, code))
      return isFinal ? undefined : { code, pauseSeconds: pauseAfter(code, mail.attempts) }
    }
  },
}

function pauseAfter(code: string, attempts: number) {
  const { step } = REFUSED_PAUSE_SECONDS
  if (code.startsWith('5')) return Math.min(REFUSED_PAUSE_SECONDS.longest, step * attempts)
  return Math.min(AWAY_PAUSE_SECONDS.longest, AWAY_PAUSE_SECONDS.first * 2 ** (attempts - 1))
}

/** Unqueues a dead letter's job, so that a resend doesn't wait for the old retry delay. */
async function expire(tx: Runner) {
  const expired = await expireMails(tx)
  if (expired.length > 0)
    await unqueue(
      tx,
      NAME,
      expired.map(({ id }) => id),
    )
  return expired
}

/** EXCEPT, because an anti-join became quadratic on tables that had grown since their last ANALYZE. */
async function waitingMails(tx: Runner) {
  const rows = await tx.query(
    sql<IdRow>`select id::text as id from ${outbox} where failed_at is null except ${queuedKeys(NAME)}
      order by id limit ${QUEUED_AT_ONCE_MAX}`,
    'prepared',
  )
  return rows.map(({ id }) => id)
}

async function write({ db, mails, texts, config }: Tools, mail: OutboxMail) {
  const kind = Object.hasOwn(mails, mail.kind) ? mails[mail.kind] : undefined
  // From a newer release running alongside.
  if (!kind) throw new MailError({ code: 'unknown-kind', isFinal: false })
  const facts = await kind.facts(db, mail)
  if (facts === null) throw new MailError({ code: OUTDATED, isFinal: true })
  return kind.text(facts, config, texts)
}
