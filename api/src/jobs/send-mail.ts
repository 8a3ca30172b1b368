import { findWaiting, sendOne } from '#mail/send-mail.ts'
import { OUTBOX_CHANNEL } from '#platform/mail/outbox.ts'
import type { Job } from './job.ts'
import { queuedKeys, unqueue } from './queue-queries.ts'

const NAME = 'send-mail'

/** Delivers the outbox to the relay: at least once, with a stable Message-ID. */
export const sendMail: Job = {
  name: NAME,
  channel: OUTBOX_CHANNEL,
  pollMs: 15_000,
  // Limited by seven days, not by a number of attempts.
  retryLimit: 1_000_000,
  find: (tools) =>
    findWaiting(tools, {
      queued: queuedKeys(NAME),
      unqueue: (tx, ids) => unqueue(tx, NAME, ids),
    }),
  run: sendOne,
}
