import { sendMail } from '#jobs/send-mail.ts'
import type { Test } from './kit.ts'
import { jobTools } from './mail-worker.ts'

export async function sendAll(t: Test) {
  const sent: { to: string; subject: string; text: string }[] = []
  const mailer = {
    send: async (mail: (typeof sent)[number]) => void sent.push(mail),
    close: () => {},
  }
  const tools = jobTools(t, { mailer })
  for (const { id } of await t.database.sql('select id from outbox order by id'))
    await sendMail.run(id, tools)
  return sent
}
