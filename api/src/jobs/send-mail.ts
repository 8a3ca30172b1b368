import type { SiteConfig } from '@gatehouse/model'
import type { Runner } from '#db.ts'
import { isRefusedForGood } from '#mail.ts'
import { readFacts } from '#mail-facts.ts'
import { MAIL_TEXTS, type MailKind } from '#mail-texts.ts'
import {
  dropMail,
  dueMails,
  giveUpMails,
  holdMail,
  postponeMail,
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
    for (const id of await giveUpMails(db)) logger.error({ id }, 'mail given up')
    return mailer ? dueMails(db) : []
  },

  async run(id, { db, mailer, config, logger }) {
    const mail = mailer ? await takeMail(db, id) : null
    if (!mail || !mailer) return
    const hold = setInterval(() => void holdMail(db, id).catch(() => {}), HOLD_EVERY_MS)
    try {
      const text = await write(db, mail, config)
      if (text) await mailer.send({ id, to: mail.recipient, ...text })
      await dropMail(db, id)
    } catch (error) {
      const isGivenUp = isRefusedForGood(error)
      logger.warn({ id, err: error, isGivenUp }, 'mail not accepted')
      clearInterval(hold)
      await (isGivenUp ? dropMail(db, id) : postponeMail(db, id))
    } finally {
      clearInterval(hold)
    }
  },
}

/** Null where what it tells about is gone. */
async function write<K extends MailKind>(db: Runner, mail: OutboxMail<K>, config: SiteConfig) {
  const facts = await readFacts(db, mail)
  return facts && MAIL_TEXTS[mail.kind](facts, config)
}
