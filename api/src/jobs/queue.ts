import { PgBoss, type Job as QueuedJob, type JobResult } from 'pg-boss'
import { errorLogFields } from '#platform/error-log-fields.ts'
import type { Job, Logger, JobContext } from './job.ts'

/** Shutdown grace; unfinished jobs are retried when their heartbeat lapses. */
const STOP_TIMEOUT_MS = 10_000
/** pg-boss has no query timeout of its own: one lost response would block the worker forever. */
const CONNECTIONS = { max: 3, connectionTimeoutMillis: 2_000, query_timeout: 4_000 }
/** Heartbeat of the LISTEN connection; polling covers what a dead one missed. */
const LISTENER_CHECK_MS = 30_000
/** Often enough for `gatehouse_jobs_failed` to mean the last hour. */
const MAINTENANCE_SECONDS = 600

/** One job per row, queued or running. A killed worker's job restarts after a second; jobs set their other retry delays. */
const QUEUE = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  retryDelay: 1,
  retryBackoff: false,
  retentionSeconds: 7 * 86_400,
  expireInSeconds: 300,
  deleteAfterSeconds: 3_600,
} as const

/** Workers are notified of jobs (see worker.ts), so pg-boss's own polling is only a fallback. */
const WORK = {
  pollingIntervalSeconds: 300,
  localConcurrency: 2,
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
  // Two missed heartbeats are tolerated.
  heartbeatRefreshSeconds: 3,
} as const
/** Concurrency per batch; two batches use all the mailer's connections. */
const CONCURRENCY = 5

type Options = { databaseUrl: string; tools: JobContext; onBatchDone: (job: Job) => void }

export function buildQueue({ databaseUrl, tools, onBatchDone }: Options) {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'gatehouse jobs',
    ...CONNECTIONS,
    notifyHeartbeatIntervalMs: LISTENER_CHECK_MS,
    // The migration role owns the schema; this one may neither migrate nor reindex.
    migrate: false,
    reindex: false,
    monitorVacuum: false,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  })
  // Without a listener an error would crash the process; /readyz reports the outage.
  boss.on('error', (error) => tools.logger.warn({ err: error }, 'job queue unreachable; retrying'))
  const listeners = new Map<string, { close: () => Promise<void> }>()

  return {
    start: () => boss.start(),
    open,
    listen,
    /** Every replica finds the same rows; the queue deduplicates by key. */
    add: (name: string, ids: string[]) =>
      boss.insert(
        name,
        ids.map((id) => ({ data: { id }, singletonKey: id })),
      ),
    wake: (name: string) => {
      for (const lane of boss.getWipData()) if (lane.name === name) boss.notifyWorker(lane.id)
    },
    /** Retries the jobs whose worker was killed, and deletes old ones. */
    supervise: () => boss.supervise(),
    stop: async () => {
      await Promise.all([...listeners.values()].map((listener) => listener.close()))
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }

  async function open(job: Job) {
    const { policy, ...settings } = { ...QUEUE, retryLimit: job.retryLimit }
    await boss.createQueue(job.name, { policy, ...settings })
    // A queue's policy can't be changed; the other settings can.
    await boss.updateQueue(job.name, settings)
    await boss.offWork(job.name)
    await boss.work<{ id: string }>(job.name, WORK, async (batch) => {
      const waiting = [...batch]
      const results: JobResult[] = []
      const next = async () => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
          results.push(await attempt(one, job))
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, next))
      onBatchDone(job)
      return results
    })
  }

  /** Uses a dedicated connection that reconnects by itself and then calls `wake`. */
  async function listen(channel: string, wake: () => void) {
    if (listeners.has(channel)) return
    const listener = await boss.getDb().listen?.(channel, wake, wake)
    if (listener) listeners.set(channel, listener)
  }

  /** A failed job must not retry the rest of its batch. */
  async function attempt(queued: QueuedJob<{ id: string }>, job: Job): Promise<JobResult> {
    const { id, data } = queued
    const logger = withFields(tools.logger, { job: job.name, jobId: id })
    try {
      const retry = await job.run(data.id, { ...tools, logger })
      if (!retry) return { id, status: 'completed' }
      const { code, pauseSeconds } = retry
      // Failed individually: only a job that is no longer running can be postponed.
      await boss.fail(job.name, queued, { code })
      await boss.update(job.name, undefined, { id, startAfter: pauseSeconds })
      return { id, status: 'failed', output: { code } }
    } catch (error) {
      logger.error({ err: error }, 'job failed')
      const { name, code } = errorLogFields(error)
      return { id, status: 'failed', output: { name, code } }
    }
  }
}

function withFields(logger: Logger, fields: object): Logger {
  const line = (level: keyof Logger) => (more: object, message: string) =>
    logger[level]({ ...fields, ...more }, message)
  return { info: line('info'), warn: line('warn'), error: line('error') } as Logger
}
