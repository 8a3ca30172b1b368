import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Logger, JobContext } from '#jobs/job.ts'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { buildMailer } from '#platform/mail/mailer.ts'
import { startTest, type Test } from './kit.ts'
import { startRelay, type Relay } from './smtp-stub.ts'

/** Tools for jobs: silent and without a relay, unless overridden. */
export const jobTools = (t: Test, own: Partial<JobContext> = {}): JobContext => ({
  ...t.jobContext,
  ...own,
})

export const loggerOf = (log: (facts: object, words?: string) => void) =>
  ({ info: log, warn: log, error: log }) as Logger

/** For the tests of one file: one API, a relay per test, and workers that stop with it. */
export function startMailWorkers() {
  let api: Test
  let relay: Relay
  const workers: Worker[] = []
  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()))

  beforeAll(async () => {
    api = await startTest()
  })
  afterAll(() => api.stop())
  beforeEach(async () => {
    relay = await startRelay()
  })
  afterEach(async () => {
    await stopWorkers()
    await relay.down()
    await api.database.sql('delete from outbox; delete from pgboss.job')
  })
  return {
    get api() {
      return api
    },
    get relay() {
      return relay
    },
    /** Replaces the relay by one that requires a password. */
    askForPassword: async () => {
      await relay.down()
      relay = await startRelay({ asksForPassword: true })
    },
    work: ({ hasRelay = true, ...options }: Omit<Options, 'relay'> & { hasRelay?: boolean } = {}) =>
      workers.push(startMailWorker(api, { relay: hasRelay ? relay : null, ...options })),
    stopWorkers,
    ask: (email: string) => askForAccess(api, email),
  }
}

type Options = { relay: Pick<Relay, 'url'> | null; databaseUrl?: string; logger?: Logger }

/** A worker that sends mails through this relay; without one they remain queued. */
export function startMailWorker(t: Test, { relay, databaseUrl, logger }: Options): Worker {
  const from = 'Gatehouse <privacy@gatehouse.example>'
  const mailer = relay ? buildMailer({ url: relay.url, from }) : null
  const worker = startWorker({
    databaseUrl: databaseUrl ?? t.database.url('gatehouse_app'),
    tools: jobTools(t, { mailer, ...(logger ? { logger } : {}) }),
  })
  return {
    stop: async () => {
      await worker.stop()
      mailer?.close()
    },
  }
}

/** Creates a privacy request, which queues a mail to the sender and one to the provider. */
async function askForAccess(t: Test, email: string): Promise<{ reference: string; dueOn: string }> {
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
