import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pagesFolder } from '../../tools/stack/web.ts'
import { startApi } from './kit/api-process.ts'

const CLOCK = new URL('pages-clock.ts', import.meta.url).pathname
const SAMPLE_MS = 500
const POLL_MS = 20
const LAG = /^nodejs_eventloop_lag_max_seconds (\S+)$/m

type Run = { rendered: number; waiting: number }
/** Titles of published articles by slug. */
export type Published = Map<string, string>
export type Replica = Awaited<ReturnType<typeof startReplica>>

/** A replica that writes its pages to the folder `pages` of the directory. */
export async function startReplica({
  name,
  env,
  directory,
  clock,
  pages: folderName,
}: {
  name: string
  env: Record<string, string>
  directory: string
  clock: string
  pages: string
}) {
  const pages = join(directory, folderName)
  const log = join(directory, `${name}.log`)
  const startedAt = Date.now()
  const api = await startApi({
    log,
    env: {
      ...env,
      PAGES_DIR: pages,
      WORKER: 'off',
      LOG_LEVEL: 'info',
      CLOCK_FILE: clock,
      NODE_OPTIONS: `--import=${CLOCK}`,
    },
  })
  const readyMs = Date.now() - startedAt
  const folder = pagesFolder(pages)
  const lag = sampleLag(api.metricsPort)
  const article = (slug: string) => join(folder, 'articles', slug, 'index.html')
  return {
    name,
    base: api.base,
    readyMs,
    titleOf: (slug: string) => titleIn(article(slug)),
    /** Completed runs of the page writer, oldest first. */
    runs: () =>
      linesIn(log)
        .filter(({ msg }) => msg === 'pages written')
        .map(({ rendered, waiting }): Run => ({ rendered, waiting })),
    /** The process that renders, once there is one. */
    nextChild: async (isOver: () => boolean) => {
      while (!isOver()) {
        const child = childOf(api.pid)
        if (child !== undefined) return child
        await setTimeout(POLL_MS)
      }
      return undefined
    },
    wrongArticles: (published: Published) => wrongArticles(join(folder, 'articles'), published),
    /** Since the last call. */
    takeLongestLagMs: lag.takeLongestMs,
    stop: async () => {
      await lag.stop()
      await api.stop()
    },
  }
}

/** Longest delay of the event loop: the metric is reset by each request. It includes its own interval of 20 ms. */
function sampleLag(port: number) {
  let isOver = false
  let longest = 0
  let samples = 0
  const sampling = (async () => {
    while (!isOver) {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const lagMs = Number(LAG.exec(text)?.[1] ?? 0) * 1000
      // The first covers the start.
      if (samples++ > 0) longest = Math.max(longest, lagMs)
      await setTimeout(SAMPLE_MS)
    }
  })()
  return {
    takeLongestMs: () => {
      const taken = longest
      longest = 0
      return taken
    },
    stop: async () => {
      isOver = true
      await sampling
    },
  }
}

const childOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .find((child) => commandOf(child).includes('write-pages'))

function commandOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const linesIn = (log: string): { msg: string; rendered: number; waiting: number }[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** Titles of the drill are unlike any other text. */
const titleIn = (file: string) => TITLE.exec(read(file))?.[0] ?? null
const TITLE = /Drill article \d+ edition \d+/

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Articles without their page, with an older one or a damaged copy, and pages of those that aren't public. */
function wrongArticles(folder: string, published: Published) {
  const files = readdirSync(folder).filter((slug) => existsSync(join(folder, slug, 'index.html')))
  return [
    ...files.filter((slug) => !published.has(slug)),
    ...[...published].flatMap(([slug, title]) => {
      const file = join(folder, slug, 'index.html')
      return titleIn(file) === title && hasCopies(file) ? [] : [slug]
    }),
  ]
}

function hasCopies(file: string) {
  const page = readFileSync(file)
  return (
    brotliDecompressSync(readFileSync(`${file}.br`)).equals(page) &&
    gunzipSync(readFileSync(`${file}.gz`)).equals(page)
  )
}
