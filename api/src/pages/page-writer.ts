import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import { openBuildFolder, removeOldBuilds, removeUnpublished } from './build-folders.ts'
import type { Get, RecordFile, Renderer, SiteFile } from './renderer.ts'
import { copyInto, linkMissing, writeCompressed } from './write-file.ts'

/** A change of the catalogue must be on the site within a minute. */
const POLL_INTERVAL_MS = 15_000
const RETRY_MS = 2_000
const SHELL = 'spa.html'

type Options = {
  db: Db
  site: Site
  get: Get
  loadRenderer: () => Promise<Renderer>
  /** Pages of a build are in a folder of its name, which the build's front proxy serves. */
  directory: string
  build: string
  /** Files made by print.ts, by path. */
  printed: Record<string, string>
  /** Records can be read from then on. */
  migrated: Promise<void>
  logger: FastifyBaseLogger
}

/**
 * Prerenders the public pages to disk, where the front proxy serves them even if the API is down. Replicas may or may not share
 * the disk, so each runs its own timer instead of a job.
 */
export function startPageWriter(options: Options) {
  const { logger } = options
  const folder = openBuildFolder(options.directory, options.build)
  const ready = Promise.withResolvers<void>()
  let last = ''
  let isFixedWritten = false
  let isReady = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const becomeReady = () => {
    if (isReady) return
    isReady = true
    ready.resolve()
    removeOldBuilds(options.directory, options.build)
  }

  const look = async () => {
    try {
      const renderer = await options.loadRenderer()
      if (!isFixedWritten) await writeFixed(folder, renderer, options)
      isFixedWritten = true
      await options.migrated
      const stamp = await stampOf(options)
      if (stamp !== last) {
        await writeAll(folder, await renderer.renderIndexes(options.get, new Date()))
        await linkRecords(folder, renderer, options)
        becomeReady()
        const count = await writeRecords(folder, renderer, options)
        last = stamp
        logger.info({ count }, 'pages written')
      }
    } catch (error) {
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

async function writeFixed(folder: string, { renderFixed }: Renderer, { printed }: Options) {
  for (const [path, source] of Object.entries(printed)) copyInto(folder, path, source)
  await writeAll(folder, await renderFixed(new Date()))
}

/** At once, so that compression uses all its threads. */
async function writeAll(folder: string, files: SiteFile[]) {
  await Promise.all(files.map(({ path, text }) => writeCompressed(folder, path, text)))
}

/** Until its page is written, a record's address serves the app, which renders it. */
async function linkRecords(folder: string, { listRecords }: Renderer, { get, logger }: Options) {
  for (const path of await listRecords(get))
    try {
      linkMissing(folder, path, SHELL)
    } catch (error) {
      logger.warn({ err: error }, 'a record’s address can’t serve the app')
    }
}

const isComplete = (folder: string) =>
  [SHELL, 'sitemap.xml'].every((name) => existsSync(join(folder, name)))

/**
 * A failed fetch aborts the run and removes nothing. A page that can't be rendered or written is logged and keeps its old
 * copy; the others are written.
 */
async function writeRecords(
  folder: string,
  { renderRecords, recordFolders }: Renderer,
  { get, logger }: Options,
) {
  const paths = new Set<string>()
  for await (const file of renderRecords(get)) {
    paths.add(file.path)
    try {
      await writeRecord(folder, file)
    } catch (error) {
      logger.error(
        { err: error, record: file.record },
        'failed to write page; keeping the old copy',
      )
    }
  }
  removeUnpublished(folder, recordFolders, paths)
  return paths.size
}

async function writeRecord(folder: string, { path, text, error }: RecordFile) {
  if (text === undefined) throw error
  await writeCompressed(folder, path, text)
}
