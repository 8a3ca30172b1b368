import { sql } from 'drizzle-orm'
import type { JobContext } from '#jobs/job.ts'
import { sendMail } from '#jobs/send-mail.ts'
import type { IdRow } from '#platform/db.ts'
import { OUTDATED } from '#platform/mail/outbox.ts'

export type SentMail = { to: string; subject: string; text: string }

/** Sends what is queued, oldest first. Fails where facts or text of a mail do; outdated mails are left out. */
export async function sendQueuedMails(context: JobContext) {
  const sent: SentMail[] = []
  const tools: JobContext = {
    ...context,
    mailer: {
      send: async ({ to, subject, text }) => void sent.push({ to, subject, text }),
      close: () => {},
    },
    logger: {
      ...context.logger,
      warn: ({ code, err }: { code?: string; err?: unknown }) => {
        if (code !== OUTDATED) throw err
      },
    } as JobContext['logger'],
  }
  const queued = await context.db.query(
    sql<IdRow>`select id from outbox where failed_at is null order by id`,
  )
  for (const { id } of queued) await sendMail.run(id, tools)
  return sent
}
