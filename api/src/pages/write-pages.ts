import { lowerPriority } from '#platform/lower-priority.ts'
import { linkMissing, copyInto, writeCompressed } from './write-file.ts'
import { removeUnpublished } from './build-folders.ts'
import type { FromPages, PageJob, Progress, ToPages } from './page-job.ts'
import { openStamps } from './page-stamps.ts'
import {
  loadRenderer,
  type Get,
  type RecordPage,
  type Renderer,
  type SiteFile,
} from './renderer.ts'

/**
 * A process that renders pages, writes them and ends (page-process.ts). It reads records through the API process, which sends it
 * nothing but what an anonymous visitor may see.
 */
const SHELL = 'spa.html'
/** Ends before page-process.ts kills it; the next process continues. A change waits that long while all pages are written. */
const TIME_S = 15
const STORE_INTERVAL_MS = 2_000
/** Statuses that concern one record or model, not the whole API. */
const UNREADABLE = [401, 403, 404]

// Rendering and compressing would take the API's time.
lowerPriority()

const pending = new Map<number, (response: ToPages) => void>()
let last = 0
/** The API doesn't respond: not a fault of the page that is being rendered. */
let unavailable: unknown

process.once('message', (job: PageJob) => {
  process.on('message', (response: ToPages) => pending.get(response.id)?.(response))
  run(job).then(
    (done) => send({ done }, () => process.disconnect()),
    (error: unknown) => send({ crash: error }, () => process.exit(1)),
  )
})
// The API process has ended.
process.on('disconnect', () => process.exit())

function send(message: FromPages, sent = () => {}) {
  process.send?.(message, undefined, undefined, sent)
}

/** Lists are needed for the stamps, the indexes and the sitemap, a service by each of its articles. */
const responses = new Map<string, Promise<unknown>>()

const get: Get = (path) => {
  const response = responses.get(path) ?? request(path)
  responses.set(path, response)
  return response
}

const request: Get = async (path) => {
  const id = ++last
  const { fetched, error } = await new Promise<ToPages>((resolve) => {
    pending.set(id, resolve)
    send({ get: path, id })
  })
  pending.delete(id)
  if (fetched?.status === 200) return JSON.parse(fetched.text)
  const failure = fetched ? new Error(`${path}: ${fetched.status}`) : error
  if (!fetched || !UNREADABLE.includes(fetched.status)) unavailable = failure
  throw failure
}

async function run(job: PageJob): Promise<Progress> {
  const isPrinted = Object.keys(job.printed).length > 0
  const renderer = await loadRenderer(job.build, { ...job.input, isPrinted })
  if (!job.hasFixed) await writeFixed(job, renderer)
  const pages = await renderer.listPages(get)
  // Before anything is rendered, which may fail.
  removeUnpublished(job.folder, renderer.recordFolders, new Set(pages.map(({ path }) => path)))
  const indexes = await writeIndexes(job, renderer, pages)
  const records = await writeChanged(job, renderer, pages)
  return { ...records, rendered: indexes + records.rendered }
}

async function writeFixed({ folder, printed }: PageJob, { renderFixed }: Renderer) {
  for (const [path, source] of Object.entries(printed)) copyInto(folder, path, source)
  await writeAll(folder, await renderFixed(new Date()))
  send({ written: 'fixed' })
}

/** A link never leads to nothing: until its page is written, a record's address serves the app, which draws it. */
async function writeIndexes({ folder }: PageJob, { renderIndexes }: Renderer, pages: RecordPage[]) {
  for (const { path } of pages)
    try {
      linkMissing(folder, path, SHELL)
    } catch {
      // Reported when its page is written.
    }
  const files = await renderIndexes(get, new Date())
  await writeAll(folder, files)
  send({ written: 'indexes' })
  return files.length
}

/** At once, so that compression uses all its threads. */
const writeAll = (folder: string, files: SiteFile[]) =>
  Promise.all(files.map(({ path, text }) => writeCompressed(folder, path, text)))

/**
 * Pages whose stamp isn't that of their files. One that can't be rendered or written is reported and keeps its old copy; the
 * others are written.
 */
async function writeChanged(job: PageJob, { renderPage }: Renderer, pages: RecordPage[]) {
  const stamps = openStamps(job)
  stamps.removeOthers(new Set(pages.map(({ path }) => path)))
  const queue = inOrder(
    pages.filter((page) => !stamps.isCurrent(page)),
    [(page) => job.suspects.includes(page.path), (page) => !stamps.has(page)],
  )
  const progress: Progress = { rendered: 0, failed: 0, waiting: queue.length }
  let storedAt = Date.now()
  for (const page of queue) {
    send({ rendering: page.path })
    try {
      const text = await renderPage(page, get)
      stamps.add(page, await writeCompressed(job.folder, page.path, text))
      progress.rendered++
    } catch (error) {
      if (unavailable) break
      send({ record: page.record, error })
      progress.failed++
    }
    progress.waiting--
    if (process.uptime() > TIME_S) break
    if (Date.now() - storedAt < STORE_INTERVAL_MS) continue
    stamps.store()
    storedAt = Date.now()
  }
  stamps.store()
  if (unavailable) throw unavailable
  return progress
}

/** Those with a mark come last; the first kind of mark counts most. */
const inOrder = <T>(all: T[], marks: ((one: T) => boolean)[]) =>
  marks.reduceRight(
    (sorted, isMarked) => sorted.toSorted((a, b) => Number(isMarked(a)) - Number(isMarked(b))),
    all,
  )
