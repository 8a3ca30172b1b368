import { mailTexts } from '@gatehouse/model'
import { expect } from 'vitest'
import type { Logger, Tools } from '#jobs/job.ts'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { buildMailer } from '#platform/mailer.ts'
import { CONFIG, type Test } from './kit.ts'
import type { Relay } from './relay.ts'

/** Tools for jobs: silent and without a relay, unless overridden. */
export const jobTools = (t: Test, own: Partial<Tools> = {}): Tools => ({
  db: t.db,
  mails: t.mails,
  texts: mailTexts,
  trash: t.trash,
  settling: t.settling,
  config: CONFIG,
  mailer: null,
  logger: loggerOf(() => {}),
  ...own,
})

/** Collects log lines of every level. */
export const loggerOf = (log: (facts: object, words?: string) => void) =>
  ({ info: log, warn: log, error: log }) as Logger

type Options = { relay: Pick<Relay, 'url'>; databaseUrl?: string; logger?: Logger }

/** A worker with this relay. */
export function startMailWorker(t: Test, { relay, databaseUrl, logger }: Options): Worker {
  const mailer = buildMailer({ url: relay.url, from: 'Gatehouse <privacy@gatehouse.example>' })
  const worker = startWorker({
    databaseUrl: databaseUrl ?? t.database.url('gatehouse_app'),
    tools: jobTools(t, { mailer, ...(logger ? { logger } : {}) }),
  })
  return {
    stop: async () => {
      await worker.stop()
      mailer.close()
    },
  }
}

/** A privacy request: a mail to the sender, and one to the provider. */
export async function askForAccess(
  t: Test,
  email: string,
): Promise<{ reference: string; dueOn: string }> {
  const { status, json } = await t.call('POST', '/api/privacy/requests', null, {
    body: {
      name: 'Iris Quill',
      email,
      subject: 'access',
      message: 'What do you know about me?',
      confirmed: true,
    },
  })
  expect(status).toBe(202)
  return json
}
