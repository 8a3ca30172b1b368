import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import { MailError } from '#platform/mailer.ts'
import { forgetConfirmations } from '#platform/mail-budget.ts'
import {
  beginAttempt,
  dropMail,
  expireMails,
  failMail,
  forgetAddresses,
  noteFailure,
  OUTBOX_CHANNEL,
  OUTDATED,
  type OutboxMail,
} from '#platform/outbox.ts'
import { outbox } from '#platform/tables.ts'
import type { Job, Tools } from './job.ts'
import { queuedKeys, unqueue } from './queue-state.ts'

const NAME = 'send-mail'
const QUEUED_AT_ONCE_MAX = 1_000
/** After the first failure where the relay is away, doubled after each: a relay that is back gets everything soon. */
const AWAY_PAUSE_SECONDS = { first: 2, longest: 30 }
/** A relay that answers and refuses is asked less and less: some lock out who asks too often. */
const REFUSED_PAUSE_SECONDS = { step: 5, longest: 600 }

/** Hands what is in the outbox over to the relay: at least once, and with the same Message-ID each time. */
export const sendMail: Job = {
  name: NAME,
  channel: OUTBOX_CHANNEL,
  pollMs: 15_000,
  // Seven days end it, not a number of tries.
  retryLimit: 1_000_000,

  /** Upkeep goes along, in the same transaction: it has deadlines, and no poll of its own. */
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

/** A dead letter's job goes with it, so that sending it again is not held up by an old pause. */
async function expire(tx: Runner) {
  const expired = await expireMails(tx)
  if (expired.length > 0)
    await unqueue(
      tx,
      NAME,
      expired.map(({ id }) => id),
    )
  await forgetAddresses(tx)
  await forgetConfirmations(tx)
  return expired
}

/** By EXCEPT: an anti-join became quadratic where the tables had just grown, before anybody had analysed them. */
async function waitingMails(tx: Runner) {
  const rows = await tx.query(
    sql`select id::text as id from ${outbox} where failed_at is null except ${queuedKeys(NAME)}
      order by id limit ${QUEUED_AT_ONCE_MAX}`,
    'prepared',
  )
  return rows.map((row) => String(row['id']))
}

async function write({ db, mails, config }: Tools, mail: OutboxMail) {
  const kind = Object.hasOwn(mails, mail.kind) ? mails[mail.kind] : undefined
  // Of a newer release, which may be running beside this one.
  if (!kind) throw new MailError({ code: 'unknown-kind', isFinal: false })
  const facts = await kind.facts(db, mail)
  if (facts === null) throw new MailError({ code: OUTDATED, isFinal: true })
  return kind.text(facts, config)
}
