import { linkMissing, copyInto, writeCompressed } from './write-file.ts'
import { removeUnpublished } from './build-folders.ts'
import type { FromPages, PageJob, Part, ToPages } from './page-job.ts'
import {
  loadRenderer,
  type Get,
  type RecordFile,
  type Renderer,
  type SiteFile,
} from './renderer.ts'

/**
 * A process that renders pages, writes them and ends (page-process.ts). It reads records through the API process, which sends it
 * nothing but what an anonymous visitor may see.
 */
const SHELL = 'spa.html'
const pending = new Map<number, (response: ToPages) => void>()
let last = 0

process.once('message', (job: PageJob) => {
  process.on('message', (response: ToPages) => pending.get(response.id)?.(response))
  run(job).then(
    () => process.disconnect(),
    (error: unknown) => send({ crash: error }, () => process.exit(1)),
  )
})
// The API process has ended.
process.on('disconnect', () => process.exit())

function send(message: FromPages, sent = () => {}) {
  process.send?.(message, undefined, undefined, sent)
}

const get: Get = async (path) => {
  const id = ++last
  const response = await new Promise<ToPages>((resolve) => {
    pending.set(id, resolve)
    send({ get: path, id })
  })
  pending.delete(id)
  if (response.error !== undefined) throw response.error
  return response.value
}

async function run(job: PageJob) {
  const isPrinted = Object.keys(job.printed).length > 0
  const renderer = await loadRenderer(job.build, { ...job.input, isPrinted })
  const write: Record<Part, (job: PageJob, renderer: Renderer) => Promise<number>> = {
    fixed: writeFixed,
    indexes: writeIndexes,
    records: writeRecords,
  }
  for (const part of job.parts) send({ written: part, count: await write[part](job, renderer) })
}

async function writeFixed({ folder, printed }: PageJob, { renderFixed }: Renderer) {
  for (const [path, source] of Object.entries(printed)) copyInto(folder, path, source)
  return writeAll(folder, await renderFixed(new Date()))
}

/** Until its page is written, a record's address serves the app, which renders it. */
async function writeIndexes({ folder }: PageJob, { renderIndexes, listRecords }: Renderer) {
  const count = await writeAll(folder, await renderIndexes(get, new Date()))
  for (const path of await listRecords(get))
    try {
      linkMissing(folder, path, SHELL)
    } catch {
      // Reported when its page is written.
    }
  return count
}

/** At once, so that compression uses all its threads. */
async function writeAll(folder: string, files: SiteFile[]) {
  await Promise.all(files.map(({ path, text }) => writeCompressed(folder, path, text)))
  return files.length
}

/**
 * A failed fetch aborts the run and removes nothing. A page that can't be rendered or written is reported and keeps its old
 * copy; the others are written.
 */
async function writeRecords({ folder }: PageJob, { renderRecords, recordFolders }: Renderer) {
  const paths = new Set<string>()
  for await (const file of renderRecords(get)) {
    paths.add(file.path)
    try {
      await writeRecord(folder, file)
    } catch (error) {
      send({ record: file.record, error })
    }
  }
  removeUnpublished(folder, recordFolders, paths)
  return paths.size
}

async function writeRecord(folder: string, { path, text, error }: RecordFile) {
  if (text === undefined) throw error
  await writeCompressed(folder, path, text)
}
