import type { SiteConfig } from '@gatehouse/model'
import type { Runner } from '#db.ts'
import { MailError } from '#mail.ts'
import { forgetConfirmations } from '#mail-budget.ts'
import { readFacts } from '#mail-facts.ts'
import { MAIL_TEXTS, type MailKind } from '#mail-texts.ts'
import {
  dropMail,
  dueMails,
  expireMails,
  failMail,
  forgetAddresses,
  holdMail,
  postponeMail,
  OUTDATED,
  takeMail,
  type OutboxMail,
} from '#outbox.ts'
import type { Job } from './index.ts'

/** Well within the time a mail is held for. */
const HOLD_EVERY_MS = 3_000

/** Hands what is in the outbox over to the relay: at least once, and with the same Message-ID each time. */
export const sendMail: Job = {
  name: 'send-mail',

  async find({ db, mailer, logger }) {
    for (const mail of await expireMails(db)) logger.error(mail, 'mail not delivered')
    await forgetAddresses(db)
    await forgetConfirmations(db)
    return mailer ? dueMails(db) : []
  },

  async run(id, { db, mailer, config, logger }) {
    const mail = mailer ? await takeMail(db, id) : null
    if (!mail || !mailer) return
    const hold = setInterval(() => void holdMail(db, id).catch(() => {}), HOLD_EVERY_MS)
    try {
      await mailer.send({ id, to: mail.recipient, ...(await write(db, mail, config)) })
      await dropMail(db, id)
    } catch (error) {
      const { code, isFinal } =
        error instanceof MailError ? error : { code: 'internal-error', isFinal: false }
      logger.warn({ id, kind: mail.kind, code, isFinal, err: error }, 'mail not accepted')
      await (isFinal ? failMail(db, id, code) : postponeMail(db, id, code))
    } finally {
      clearInterval(hold)
    }
  },
}

async function write<K extends MailKind>(db: Runner, mail: OutboxMail<K>, config: SiteConfig) {
  // Of a newer release, which may be running beside this one.
  if (!Object.hasOwn(MAIL_TEXTS, mail.kind))
    throw new MailError({ code: 'unknown-kind', isFinal: false })
  const facts = await readFacts(db, mail)
  if (!facts) throw new MailError({ code: OUTDATED, isFinal: true })
  return MAIL_TEXTS[mail.kind](facts, config)
}
