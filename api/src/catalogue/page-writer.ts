import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import { loadRenderer, type Get, type SiteFile } from './renderer.ts'

/** A change of the catalogue must be on the site within a minute. */
const POLL_INTERVAL_MS = 15_000
const COMPRESSED = ['', '.br', '.gz']

type Options = {
  db: Db
  site: Site
  get: Get
  bundle: string
  /** The folder the front proxy serves pages from. */
  directory: string
  logger: FastifyBaseLogger
}

/**
 * Prerenders pages of records to disk, where the front proxy serves them even if the API is down. Replicas share no disk, so
 * each runs its own timer instead of a job.
 */
export function startPageWriter(options: Options) {
  const { logger, bundle } = options
  let last = ''
  let isAbsent = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    try {
      const stamp = await stampOf(options)
      if (stamp !== null && stamp !== last) {
        const count = await writePages(options)
        last = stamp
        logger.info({ count }, 'pages written')
      }
      if (stamp === null && !isAbsent)
        logger.info({ bundle }, 'no built site found; no pages are written')
      isAbsent = stamp === null
    } catch (error) {
      // The last good copy remains on disk.
      logger.warn({ err: error }, 'failed to write pages; retrying at the next poll')
    }
    if (!isOver) timer = setTimeout(() => void look(), POLL_INTERVAL_MS).unref()
  }
  const first = look()
  return {
    first,
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

/** Cache stamp of the pages: latest record change, day (articles expire), and built site. */
async function stampOf({ db, site, bundle }: Options) {
  const built = statSync(bundle, { throwIfNoEntry: false })
  if (!built) return null
  const rows = await db.query(sql`
    select (select concat(count(*), max(updated_at)) from services) as services,
           (select concat(count(*), max(updated_at)) from articles) as articles`)
  return JSON.stringify([rows, contextOf(site).today, built.mtimeMs])
}

/**
 * A failed fetch aborts the run and removes nothing. A page that can't be rendered or written is logged and keeps its old
 * copy; the others are written.
 */
async function writePages({ get, bundle, directory, logger }: Options) {
  const { renderCatalogue } = await loadRenderer(bundle)
  const files = await renderCatalogue(get, new Date())
  let written = 0
  for (const file of files)
    try {
      await writeFile(directory, file)
      written++
    } catch (error) {
      logger.error(
        { err: error, record: file.record ?? file.path },
        'failed to write page; keeping the old copy',
      )
    }
  removeOthers(directory, new Set(files.map(({ path }) => path)))
  return written
}

/** Guards against path traversal: paths contain slugs entered by staff. */
async function writeFile(directory: string, { path, text, error }: SiteFile) {
  if (text === undefined) throw error
  const file = resolve(directory, path)
  if (!file.startsWith(resolve(directory) + sep))
    throw new Error('Page path is outside the output folder')
  await writeCompressed(file, text)
}

/**
 * Compresses on worker threads: brotli at its highest level would block the event loop. Writes by rename, so no reader sees
 * a partial page.
 */
async function writeCompressed(file: string, text: string) {
  const [brotli, gzipped] = [await compress.brotli(text), await compress.gzip(text)]
  mkdirSync(dirname(file), { recursive: true })
  const bytes = { '': text, '.br': brotli, '.gz': gzipped }
  for (const [ending, content] of Object.entries(bytes)) {
    writeFileSync(`${file}.new`, content)
    renameSync(`${file}.new`, file + ending)
  }
}

const compress = { brotli: promisify(brotliCompress), gzip: promisify(gzip) }

/** Pages of records that are no longer published, with their compressed copies. */
function removeOthers(directory: string, kept: Set<string>) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(directory.length + 1)
    if (
      !COMPRESSED.some(
        (ending) => kept.has(path.slice(0, path.length - ending.length)) && path.endsWith(ending),
      )
    )
      rmSync(file)
  }
}
