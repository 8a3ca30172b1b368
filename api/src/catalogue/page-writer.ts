import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import { loadRenderer, type Get, type SiteFile } from './renderer.ts'

/** Poll interval: a change of the catalogue must be on the site within a minute. */
const POLL_INTERVAL_MS = 15_000
const COMPRESSED = ['', '.br', '.gz']

type Options = {
  db: Db
  site: Site
  /** Calls this API as an anonymous visitor. */
  get: Get
  /** The SSR bundle. */
  bundle: string
  /** Where the front proxy finds the pages. */
  directory: string
  logger: FastifyBaseLogger
}

/**
 * Prerenders pages made of records to disk, where the front proxy serves them even when nothing else runs. Replicas
 * share no disk, so each runs a timer of its own instead of a job.
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
        logger.info({ bundle }, 'no built site: no pages are written')
      isAbsent = stamp === null
    } catch (error) {
      // Keeps the last good copy; retried at the next tick.
      logger.warn({ err: error }, 'pages not written')
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

/** Changes whenever a page might: with the records, with the day (articles expire), and with the built site. */
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
  const { renderCatalogue, assets } = await loadRenderer(bundle)
  const files = await renderCatalogue(assets, get, new Date())
  let written = 0
  for (const file of files)
    try {
      await writeFile(directory, file)
      written++
    } catch (error) {
      logger.error({ err: error, record: file.record ?? file.path }, 'page not written')
    }
  removeOthers(directory, new Set(files.map(({ path }) => path)))
  return written
}

/** Path traversal guard: paths are made of slugs people enter. */
async function writeFile(directory: string, { path, text, error }: SiteFile) {
  if (text === undefined) throw error
  const file = resolve(directory, path)
  if (!file.startsWith(resolve(directory) + sep))
    throw new Error('The page lies outside its folder')
  await writeCompressed(file, text)
}

/**
 * Compressed on other threads: brotli at its best would hold up every request. Atomic write: rename, so that no reader
 * sees half a page.
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

/** Removes pages of services that are no longer published. */
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
