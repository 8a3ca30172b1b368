import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import { IN_PROCESS } from '#platform/http/in-process.ts'
import type { Site } from '#platform/site-config.ts'
import { openBuildFolder, removeOldBuilds } from './build-folders.ts'
import { changeStampOf } from './change-stamp.ts'
import type { Fetched, PageJob } from './page-job.ts'
import { runPageProcess } from './page-process.ts'

/** A change must be on the site within 20 s. */
const POLL_INTERVAL_MS = 10_000
const RETRY_MS = 2_000
/** Longest wait before a page that can't be rendered is tried again without a change. */
const PAGE_RETRY_MAX_MS = 600_000

type FetchAnonymously = (path: string) => Promise<Fetched>

type Options = Pick<PageJob, 'build' | 'input' | 'printed'> & {
  db: Db
  site: Site
  models: readonly Model[]
  /** Resolves when records can be read. */
  records: Promise<{ fetch: FetchAnonymously }>
  /** Pages of a build are in a folder of its name, which the build's front proxy serves. */
  directory: string
  logger: FastifyBaseLogger
}

/**
 * Prerenders the public pages to disk, where the front proxy serves them even if the API is down. Replicas may or may not share
 * the disk, so each runs its own timer instead of a job.
 */
export function startPageWriter(options: Options) {
  const { logger, directory, build, input, printed } = options
  const folder = openBuildFolder(directory, build.id)
  const ready = Promise.withResolvers<void>()
  const suspects = new Set<string>()
  let lastStamp = ''
  let hasFixed = false
  let isReady = false
  let isOver = false
  let failedRuns = 0
  let pageRetry = { at: Infinity, waitMs: POLL_INTERVAL_MS }
  let timer: NodeJS.Timeout | undefined
  let stopProcess = () => {}

  const becomeReady = () => {
    if (isReady) return
    isReady = true
    ready.resolve()
    try {
      removeOldBuilds(directory, build.id)
    } catch (error) {
      logger.warn({ err: error }, 'failed to remove pages of old builds')
    }
  }

  const write = async (fetch: FetchAnonymously) => {
    let rendering = ''
    const { ended, stop } = runPageProcess(
      { build, folder, input, printed, hasFixed, suspects: [...suspects] },
      {
        fetch,
        onWritten: (part) => {
          if (part === 'fixed') hasFixed = true
          else becomeReady()
        },
        onRendering: (path) => (rendering = path),
        onFailed: (record, error) =>
          logger.error({ err: error, record }, 'failed to write page; keeping the old copy'),
      },
    )
    stopProcess = stop
    try {
      return await ended
    } catch (error) {
      if (rendering) suspects.add(rendering)
      throw error
    }
  }

  /** Milliseconds until the next look. */
  const update = async () => {
    // Taken before the first record is read, so that it is never too new. Fixed pages don't wait for it.
    let stamp = hasFixed ? changeStampOf(options) : undefined
    if ((await stamp) === lastStamp && Date.now() < pageRetry.at) return POLL_INTERVAL_MS
    const isChanged = (await stamp) !== lastStamp
    const { rendered, failed, waiting } = await write(async (path) => {
      const { fetch } = await options.records
      await (stamp ??= changeStampOf(options))
      return fetch(path)
    })
    logger.info({ rendered, waiting }, 'pages written')
    if (waiting > 0) return 0
    suspects.clear()
    lastStamp = (await stamp) ?? ''
    const waitMs = isChanged ? POLL_INTERVAL_MS : Math.min(pageRetry.waitMs * 2, PAGE_RETRY_MAX_MS)
    pageRetry = { at: failed > 0 ? Date.now() + waitMs : Infinity, waitMs }
    return POLL_INTERVAL_MS
  }

  const look = async () => {
    let waitMs = RETRY_MS
    try {
      waitMs = await update()
      failedRuns = 0
    } catch (error) {
      if (isOver) return
      logger.warn({ err: error }, 'failed to write pages; retrying')
      waitMs = Math.min(RETRY_MS * 2 ** failedRuns++, POLL_INTERVAL_MS)
      // The last good copy remains on disk, and is better than none.
      if (isComplete(folder)) becomeReady()
    }
    if (!isOver) timer = setTimeout(() => void look(), waitMs).unref()
  }
  const first = look()
  return {
    first,
    /** Resolves when all pages but those of records are written. */
    ready: ready.promise,
    stop: () => {
      isOver = true
      clearTimeout(timer)
      stopProcess()
    },
  }
}

/** Calls the API in-process as an anonymous visitor: same rules, no network. */
export const fetchAnonymously =
  (app: {
    inject: (request: {
      url: string
      headers: Record<string, string>
    }) => Promise<{ statusCode: number; payload: string }>
  }): FetchAnonymously =>
  async (path) => {
    const { statusCode, payload } = await app.inject({ url: `/api/${path}`, headers: IN_PROCESS })
    return { status: statusCode, text: payload }
  }

const isComplete = (folder: string) =>
  ['spa.html', 'sitemap.xml'].every((name) => existsSync(join(folder, name)))
