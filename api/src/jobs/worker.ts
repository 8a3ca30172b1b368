import { setTimeout } from 'node:timers/promises'
import { PgBoss, type JobResult } from 'pg-boss'
import { errorFacts } from '#error-facts.ts'
import { JOBS, type Job, type Tools } from './index.ts'

const FIND_EVERY_MS = 1_000
const POLL_SECONDS = 1
/** 2,000 mails in a minute at 0.3 s each: so many jobs are fetched at once, and so many of them are done side by side. */
const BATCHES = 2
const BATCH_SIZE = 50
const SIDE_BY_SIDE = 5
const START_RETRY_MS = 2_000
/** Whatever takes longer is taken over by another worker, like the work of one that was killed. */
const STOP_TIMEOUT_MS = 10_000
/** Without a limit on answers a network that swallowed one would stop the work for good: the queue has none of its own. */
const CONNECTIONS = { max: 3, connectionTimeoutMillis: 2_000, query_timeout: 4_000 }

/**
 * Written down, because with pg-boss's own settings nothing was taken over within 75 s of a killed worker; with these it
 * took 10 s (docs/decisions/16-outbox-and-jobs.md).
 */
const TAKE_OVER = { heartbeatSeconds: 10, superviseSeconds: 2 }

/** One job per row at a time, queued or running; a taken-over job is tried again at once. */
const QUEUE = {
  policy: 'exclusive',
  heartbeatSeconds: TAKE_OVER.heartbeatSeconds,
  retryLimit: 3,
  retryDelay: 0,
  expireInSeconds: 300,
  deleteAfterSeconds: 3_600,
} as const

/** After a full batch the next one is fetched at once. */
const WORK = {
  pollingIntervalSeconds: POLL_SECONDS,
  localConcurrency: BATCHES,
  batchSize: BATCH_SIZE,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

type Log = Tools['logger']

/** Every line of a job carries its id. */
function withFacts(logger: Log, facts: object): Log {
  const line = (level: keyof Log) => (more: object, words: string) =>
    logger[level]({ ...facts, ...more }, words)
  return { info: line('info'), warn: line('warn'), error: line('error') } as Log
}

export type Worker = { stop: () => Promise<void> }

/** Does the background work in this process, from when the database is there until it is stopped. */
export function startWorker(options: { databaseUrl: string; tools: Tools; jobs?: Job[] }): Worker {
  const { databaseUrl, tools, jobs = JOBS } = options
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'gatehouse jobs',
    ...CONNECTIONS,
    // The tables are made by whoever migrates; this role may not, nor rebuild their indexes.
    migrate: false,
    reindex: false,
    schedule: false,
    superviseIntervalSeconds: TAKE_OVER.superviseSeconds,
    monitorIntervalSeconds: TAKE_OVER.superviseSeconds,
  })
  // A database that is away is no news: /readyz says so. Without a listener it would end the process.
  boss.on('error', (error) => tools.logger.warn({ err: error }, 'the job queue can not be reached'))

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }

  async function run() {
    while (!(await isStarted())) await pause(START_RETRY_MS)
    while (!stopping.signal.aborted) {
      for (const job of jobs) await queueDue(job)
      await pause(FIND_EVERY_MS)
    }
  }

  async function isStarted() {
    if (stopping.signal.aborted) return true
    try {
      await boss.start()
      for (const job of jobs) await openQueue(job)
      tools.logger.info({ jobs: jobs.map(({ name }) => name) }, 'worker started')
      return true
    } catch (error) {
      tools.logger.warn({ err: error }, 'worker not started, will try again')
      return false
    }
  }

  async function openQueue({ name, run: work }: Job) {
    await boss.createQueue(name, QUEUE)
    const { policy: _, ...settings } = QUEUE
    await boss.updateQueue(name, settings)
    await boss.offWork(name)
    await boss.work<{ id: string }>(name, WORK, async (all) => {
      const waiting = [...all]
      const results: JobResult[] = []
      const lane = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          results.push(await attempt(next, { name, work }))
      }
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane))
      return results
    })
  }

  /** One that fails is no reason to do the rest of its batch again. The queue keeps name and code: errors quote values. */
  async function attempt(
    { id, data }: { id: string; data: { id: string } },
    { name, work }: { name: string; work: Job['run'] },
  ): Promise<JobResult> {
    const logger = withFacts(tools.logger, { job: name, jobId: id })
    try {
      await work(data.id, { ...tools, logger })
      return { id, status: 'completed' }
    } catch (error) {
      logger.error({ err: error }, 'job failed')
      const { name: kind, code } = errorFacts(error)
      return { id, status: 'failed', output: { name: kind, code } }
    }
  }

  /** Every replica finds the same rows; the queue takes each of them once. */
  async function queueDue({ name, find }: Job) {
    try {
      const ids = await find(tools)
      if (ids.length > 0)
        await boss.insert(
          name,
          ids.map((id) => ({ data: { id }, singletonKey: id })),
        )
    } catch (error) {
      tools.logger.warn({ err: error, job: name }, 'due work not queued, will try again')
    }
  }

  /** Ends early when the worker is stopped. */
  async function pause(ms: number) {
    await setTimeout(ms, undefined, { signal: stopping.signal }).catch(() => {})
  }
}
