import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { buildFileLinks } from '../../api/src/platform/files/file-links.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { startFilesFront } from './files-front.ts'
import type { FilePlace } from './files.ts'
import { startApi } from './kit/api-process.ts'
import type { DrillEnvironment } from './kit/drill-environment.ts'
import { downloadFile, uploadFile } from './kit/file-client.ts'
import type { Result } from './kit/results.ts'

export type FilesOptions = { environment: DrillEnvironment; isShort: boolean }

const MB = 1_000_000
const SMALL_MB = 100
const LARGE_MB = { long: 1_000, short: 300 }
/** Of the API alone: nginx sends the bytes. */
const PEAK_MAX_MB = 250
const GROWTH_MAX_MB = 15
const SAMPLE_MS = 100
const ACCOUNTS = 50
const MANY = { long: { count: 200, mb: 5 }, short: { count: 60, mb: 2 } }
/** For the headers of all to arrive. */
const HEADERS_MS = 3_000
const SLOW_COUNT = 100
const SLOW = { chunkBytes: 20_000, pauseMs: 500 }
const LIST_READS = 60
const LIST_FACTOR = 2
const LIST_SLACK_MS = 100

/**
 * Small files and a large one, up and down again: the API must not grow with the size. As many bytes both times: the peak of a longer
 * transfer is higher whatever its parts, since the garbage of more chunks may meet before it is collected.
 */
export async function checkSizes(place: FilePlace, { environment, isShort }: FilesOptions) {
  const results: Result[] = []
  const peaks: number[] = []
  const largeMb = isShort ? LARGE_MB.short : LARGE_MB.long
  for (const [mb, count] of [
    [SMALL_MB, largeMb / SMALL_MB],
    [largeMb, 1],
  ] as const) {
    const api = await startApi({ env: place.env })
    const front = await startFilesFront(place, [api.port])
    const memory = watchMemory(api.pid)
    try {
      const token = await tokenFor(environment, `${place.kind}-${mb}`)
      const turns: Awaited<ReturnType<typeof upAndDown>>[] = []
      for (let turn = 0; turn < count; turn++)
        turns.push(await upAndDown({ base: front.base, token, bytes: mb * MB }))
      const peak = await memory.stop()
      peaks.push(peak)
      results.push({
        title: `${count} × ${mb} MB, ${place.kind}`,
        isRight: turns.every(({ isRight }) => isRight) && peak <= PEAK_MAX_MB,
        figure: `${turns[0]?.figure}, peak ${peak.toFixed(0)} MB PSS`,
      })
    } finally {
      await memory.stop()
      await front.stop()
      await api.stop()
    }
  }
  const [small = 0, large = 0] = peaks
  results.push({
    title: `growth with size, ${place.kind}`,
    isRight: large - small <= GROWTH_MAX_MB,
    figure: `${(large - small).toFixed(0)} MB`,
  })
  return results
}

async function upAndDown({ base, token, bytes }: { base: string; token: string; bytes: number }) {
  const sent = await uploadFile({ base, token, bytes })
  const link = buildFileLinks([DEMO_SECRETS.signing]).urlOf({ id: sent.id })
  const got = await downloadFile(`${base}${link}`)
  const isSame = got.sha256 === sent.sha256 && got.bytes === bytes
  return {
    isRight: sent.status === 201 && got.status === 200 && isSame,
    figure: `up ${sent.status}, down ${got.status}, ${isSame ? 'same bytes' : 'OTHER BYTES'}`,
  }
}

/** At once, from fifty accounts: none is refused. */
export async function checkManyUploads(place: FilePlace, { environment, isShort }: FilesOptions) {
  const { count, mb } = isShort ? MANY.short : MANY.long
  const api = await startApi({ env: place.env })
  const front = await startFilesFront(place, [api.port])
  const memory = watchMemory(api.pid)
  try {
    const tokens = await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, index) => tokenFor(environment, `many-${index}`)),
    )
    const start = setTimeout(HEADERS_MS)
    const sent = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        uploadFile({
          base: front.base,
          token: tokens[index % ACCOUNTS] ?? '',
          bytes: mb * MB,
          start,
        }).catch((error: NodeJS.ErrnoException) => ({ status: error.code ?? 'cut' })),
      ),
    )
    const done = sent.filter(({ status }) => status === 201).length
    return [
      {
        title: `${count} × ${mb} MB at once`,
        isRight: done === count,
        figure: `${done} × 201, others: ${others(sent)}, peak ${(await memory.stop()).toFixed(0)} MB PSS`,
      },
    ]
  } finally {
    await memory.stop()
    await front.stop()
    await api.stop()
  }
}

const others = (sent: { status: unknown }[]) =>
  [...new Set(sent.map(({ status }) => String(status)))].filter((one) => one !== '201').join(' ') ||
  'none'

/** One account's slow uploads: another's goes through, and lists are as fast as before. */
export async function checkSlowUploads(place: FilePlace, { environment }: FilesOptions) {
  const api = await startApi({ env: place.env })
  const front = await startFilesFront(place, [api.port])
  const ending = new AbortController()
  try {
    const [slow, other] = [
      await tokenFor(environment, 'slow'),
      await tokenFor(environment, 'other'),
    ]
    const before = await listTimes(front.base, other)
    const sending = Array.from({ length: SLOW_COUNT }, () =>
      uploadFile({
        base: front.base,
        token: slow,
        bytes: 10 * MB,
        slow: SLOW,
        signal: ending.signal,
      }).catch(() => null),
    )
    await setTimeout(2_000)
    const during = await listTimes(front.base, other)
    const started = Date.now()
    const sent = await uploadFile({ base: front.base, token: other, bytes: 5 * MB })
    const took = Date.now() - started
    ending.abort()
    await Promise.all(sending)
    return [
      {
        title: `an upload beside ${SLOW_COUNT} slow ones`,
        isRight: sent.status === 201,
        figure: `${sent.status} after ${took} ms`,
      },
      {
        title: 'lists meanwhile, p95',
        isRight: during <= LIST_FACTOR * before + LIST_SLACK_MS,
        figure: `${before.toFixed(0)} ms before, ${during.toFixed(0)} ms during`,
      },
    ]
  } finally {
    ending.abort()
    await front.stop()
    await api.stop()
  }
}

async function listTimes(base: string, token: string) {
  const times: number[] = []
  for (let turn = 0; turn < LIST_READS; turn++) {
    const started = performance.now()
    const response = await fetch(`${base}/api/services`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await response.text()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(LIST_READS * 0.95)] ?? 0
}

export const tokenFor = ({ keys }: DrillEnvironment, name: string) =>
  keys.tokenOf({ sub: `files-${name}`, name, role: 'user' })

/** Peak of the process's proportional share of memory, in MB. */
export function watchMemory(pid: number) {
  let peak = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      peak = Math.max(peak, Number(/^Pss: +(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024)
      await setTimeout(SAMPLE_MS)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return peak
    },
  }
}
