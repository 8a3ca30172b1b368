import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import { openBuildFolder, removeOldBuilds } from './build-folders.ts'
import type { PageJob, Part } from './page-job.ts'
import { runPageProcess } from './page-process.ts'
import type { Get } from './renderer.ts'

/** A change of the catalogue must be on the site within a minute. */
const POLL_INTERVAL_MS = 15_000
const RETRY_MS = 2_000

type Options = Pick<PageJob, 'build' | 'input' | 'printed'> & {
  db: Db
  site: Site
  /** Resolves when records can be read. */
  records: Promise<{ get: Get }>
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
  let last = ''
  let isFixedWritten = false
  let isReady = false
  let isOver = false
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

  const write = async (parts: Part[], get: Get) => {
    const { ended, stop } = runPageProcess(
      { parts, build, folder, input, printed },
      {
        get,
        onWritten: (part, count) => {
          if (part === 'fixed') isFixedWritten = true
          if (part === 'indexes') becomeReady()
          if (part === 'records') logger.info({ count }, 'pages written')
        },
        onFailed: (record, error) =>
          logger.error({ err: error, record }, 'failed to write page; keeping the old copy'),
      },
    )
    stopProcess = stop
    await ended
  }

  const look = async () => {
    try {
      if (isFixedWritten) {
        const { get } = await options.records
        const stamp = await stampOf(options)
        if (stamp !== last) await write(['indexes', 'records'], get)
        last = stamp
      } else {
        // Fixed pages don't wait for records. The stamp is taken before the first is read, so that it is never too new.
        let stamp: Promise<string> | undefined
        await write(['fixed', 'indexes', 'records'], async (path) => {
          const { get } = await options.records
          await (stamp ??= stampOf(options))
          return get(path)
        })
        last = (await stamp) ?? ''
      }
    } catch (error) {
      if (isOver) return
      logger.warn({ err: error }, 'failed to write pages; retrying')
      // The last good copy remains on disk, and is better than none.
      if (isComplete(folder)) becomeReady()
    }
    if (!isOver)
      timer = setTimeout(() => void look(), isReady ? POLL_INTERVAL_MS : RETRY_MS).unref()
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
  (app: { inject: (url: string) => Promise<{ statusCode: number; json: () => unknown }> }): Get =>
  async (path) => {
    const response = await app.inject(`/api/${path}`)
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.json()
  }

/** Cache stamp of the pages: latest record change, and day (articles expire). */
async function stampOf({ db, site }: Options) {
  const rows = await db.query(sql`
    select (select concat(count(*), max(updated_at)) from services) as services,
           (select concat(count(*), max(updated_at)) from articles) as articles`)
  return JSON.stringify([rows, contextOf(site).today])
}

const isComplete = (folder: string) =>
  ['spa.html', 'sitemap.xml'].every((name) => existsSync(join(folder, name)))
