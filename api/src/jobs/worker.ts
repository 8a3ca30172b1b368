import { setTimeout } from 'node:timers/promises'
import {
  buildInterruptibleSleep,
  type InterruptibleSleep,
} from '#platform/pg-notify/interruptible-sleep.ts'
import { JOBS } from './index.ts'
import type { Job, JobContext } from './job.ts'
import { buildQueue } from './queue.ts'
import { unfinished } from './queue-queries.ts'

const START_RETRY_MS = 2_000
/** Retry delay of a failed `find`: the identity provider, for example, may start after us. */
const FIND_RETRY_MS = 20_000
/** Supervision interval while any job runs on any worker: finds jobs of killed workers. */
const SUPERVISE_MS = 2_000
/** Poll interval for unfinished jobs: 10 s still allows a takeover within 15 s. */
const POLL_MS = 10_000
const SUPERVISE_IDLE_MS = 600_000
/** Lets the queue complete a batch before polling again. */
const AFTER_BATCH_MS = 500
/** Rows written one after the other are found together. */
const AFTER_CHANGE_MS = 300
/** Minimum pause: queues whose jobs start within this window are notified together. */
const NOTIFY_WINDOW_MS = 500

export type Worker = { stop: () => Promise<void> }

/**
 * Runs the background jobs of this process, from when the database is reachable until stopped. Polls slowly while idle; a
 * notification wakes it (docs/decisions/16-outbox-and-jobs.md).
 */
export function startWorker(options: {
  databaseUrl: string
  tools: JobContext
  jobs?: Job[]
}): Worker {
  const { databaseUrl, tools, jobs = JOBS } = options
  const stopping = new AbortController()
  const supervision = buildInterruptibleSleep(stopping.signal)
  const finders = new Map<Job, InterruptibleSleep>(
    jobs.map((job) => [job, buildInterruptibleSleep(stopping.signal)]),
  )
  const queue = buildQueue({
    databaseUrl,
    tools,
    onBatchDone: (job) => finders.get(job)?.wake(AFTER_BATCH_MS),
  })
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      await queue.stop()
    },
  }

  async function run() {
    while (!(await isStarted()))
      await setTimeout(START_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    await Promise.all([
      supervise(),
      ...[...finders].map(([job, sleep]) => findAndQueue(job, sleep)),
    ])
  }

  async function isStarted() {
    if (stopping.signal.aborted) return true
    try {
      await queue.start()
      for (const job of jobs) await queue.open(job)
      for (const [{ channel }, finder] of finders)
        if (channel)
          await queue.listen(channel, () => {
            finder.wake()
            // Another worker may take the job and be killed.
            supervision.wake(SUPERVISE_MS)
          })
      for (const [{ onLocalChange }, finder] of finders)
        onLocalChange?.(tools, () => finder.wake(AFTER_CHANGE_MS))
      tools.logger.info({ jobs: jobs.map(({ name }) => name) }, 'worker started')
      return true
    } catch (error) {
      tools.logger.warn({ err: error }, 'failed to start worker; retrying')
      return false
    }
  }

  async function findAndQueue({ name, find, pollMs }: Job, sleep: InterruptibleSleep) {
    while (!stopping.signal.aborted) {
      let pauseMs = pollMs
      try {
        const ids = await find(tools)
        if (ids.length > 0) {
          await queue.add(name, ids)
          queue.wake(name)
          supervision.wake(SUPERVISE_MS)
        }
      } catch (error) {
        tools.logger.warn({ err: error, job: name }, 'failed to find or queue jobs; retrying')
        pauseMs = Math.min(pollMs, FIND_RETRY_MS)
      }
      await sleep.pause(pauseMs)
    }
  }

  /** Wakes workers when a job is due for retry, and takes over from killed workers. */
  async function supervise() {
    let superviseAt = 0
    while (!stopping.signal.aborted) {
      let pauseMs = POLL_MS
      try {
        let queues = await unfinished(tools.db)
        if (queues.some(({ isActive }) => isActive) || Date.now() >= superviseAt) {
          await queue.supervise()
          superviseAt = Date.now() + SUPERVISE_IDLE_MS
          queues = await unfinished(tools.db)
        }
        pauseMs = wakeDueQueues(queues)
      } catch (error) {
        tools.logger.warn({ err: error }, 'failed to supervise jobs; retrying')
      }
      await supervision.pause(pauseMs)
    }
  }

  /** Returns the next pause in milliseconds. */
  function wakeDueQueues(queues: Awaited<ReturnType<typeof unfinished>>) {
    let pauseMs = POLL_MS
    for (const { name, isActive, startsInMs } of queues) {
      const isDue = startsInMs !== null && startsInMs <= 0
      // A busy worker fetches after its batch.
      if (isDue) queue.wake(name)
      if (isDue || isActive) pauseMs = Math.min(pauseMs, SUPERVISE_MS)
      else if (startsInMs !== null)
        pauseMs = Math.min(pauseMs, Math.max(startsInMs, NOTIFY_WINDOW_MS))
    }
    return pauseMs
  }
}
