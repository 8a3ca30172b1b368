import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  animation,
  HIDDEN,
  memoryBomb,
  photo,
  picture,
  pixelBomb,
} from '../../../test/picture-fixtures.ts'
import {
  buildPreviewProcess,
  PreviewKilledError,
  PreviewsDelayedError,
  PreviewsUnavailableError,
  UnreadablePictureError,
  type PreviewLimits,
  type PreviewProcess,
} from './preview-process.ts'

let folder: string
const open: PreviewProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'previews-'))
})
afterEach(() => {
  for (const one of open.splice(0)) one.stop()
})
afterAll(() => rm(folder, { recursive: true }))

function start(limits: Partial<PreviewLimits> = {}) {
  const started = buildPreviewProcess(limits)
  open.push(started)
  return started
}

const paths = () => ({
  source: join(folder, 'source'),
  targets: { small: join(folder, 'small'), large: join(folder, 'large') },
})

async function previewsOf(bytes: Buffer | string, previews = start()) {
  const { source, targets } = paths()
  await writeFile(source, bytes)
  await previews.write(paths())
  return { small: await readFile(targets.small), large: await readFile(targets.large) }
}

const sizeOf = async (bytes: Buffer) => {
  const { format, width, height } = await sharp(bytes).metadata()
  return { format, width, height }
}

test('previews are WebP of at most 320 and 1,600 pixels, and never larger than the picture', async () => {
  const { small, large } = await previewsOf(await picture('png', 4_000))
  expect(await sizeOf(small)).toEqual({ format: 'webp', width: 320, height: 32 })
  expect(await sizeOf(large)).toEqual({ format: 'webp', width: 1_600, height: 160 })
  const { large: unenlarged } = await previewsOf(await picture('png'))
  expect(await sizeOf(unenlarged)).toEqual({ format: 'webp', width: 600, height: 400 })
  // Nobody but the API and nginx reads them.
  expect((await stat(paths().targets.small)).mode & 0o007).toBe(0)
})

test('previews are upright, without the position, the author and any other metadata', async () => {
  const original = await photo()
  expect(original.includes(HIDDEN)).toBe(true)
  for (const preview of Object.values(await previewsOf(original))) {
    const { width, height, exif, icc, xmp, orientation } = await sharp(preview).metadata()
    expect(height).toBeGreaterThan(width)
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(preview.includes(HIDDEN)).toBe(false)
  }
})

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('%s gets previews', async (format) => {
  const { small } = await previewsOf(await picture(format))
  expect(await sizeOf(small)).toMatchObject({ format: 'webp', width: 320 })
})

test('the preview of an animation is its first frame', async () => {
  const { small } = await previewsOf(await animation())
  expect((await sharp(small).metadata()).pages ?? 1).toBe(1)
  const { channels } = await sharp(small).stats()
  expect(channels[0]?.mean).toBeGreaterThan(200)
  expect(channels[2]?.mean).toBeLessThan(50)
})

test.each([
  ['900 million pixels', async () => pixelBomb()],
  ['a file that was cut', async () => (await photo()).subarray(0, 900)],
  ['SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ['HTML', async () => '<html><img src="x"></html>'],
  ['TIFF', async () => picture('tiff')],
])('%s: unreadable, and the process reads the next picture', async (_name, bytes) => {
  const previews = start()
  await expect(previewsOf(await bytes(), previews)).rejects.toThrow(UnreadablePictureError)
  const pid = previews.pid()
  await previewsOf(await picture('png'), previews)
  expect(previews.pid()).toBe(pid)
})

test('a picture that needs more than 400 MB ends the process, and the next one starts another', async () => {
  const previews = start()
  await expect(previewsOf(await memoryBomb(), previews)).rejects.toThrow(/^took 4\d\d MB$/)
  expect(previews.pid()).toBeNull()
  await previewsOf(await picture('png'), previews)
})

test('a picture that takes too long ends the process', async () => {
  const slow = start({
    program: await programOf('process.on("message", () => {}); process.send({ ready: true })'),
    timeoutMs: 1_000,
  })
  const error = await slow.write(paths()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PreviewKilledError)
  expect(error).toMatchObject({ message: 'took longer than 1000 ms' })
})

test('a process that is not ready in time is delayed, which is not the picture’s fault', async () => {
  const program = await programOf('process.on("message", () => {})')
  const previews = start({ program, timeoutMs: 500 })
  await expect(previews.write(paths())).rejects.toThrow(PreviewsDelayedError)
})

test('a process that ends before it is ready counts as unavailable', async () => {
  const previews = start({ program: await programOf('process.abort()') })
  await expect(previews.write(paths())).rejects.toThrow(PreviewsUnavailableError)
})

/** A process that behaves as no picture makes it do reliably. */
async function programOf(code: string) {
  const path = join(folder, `program-${crypto.randomUUID()}.mjs`)
  await writeFile(path, code)
  return pathToFileURL(path)
}

test('without a binary for the machine it says so, and no process remains', async () => {
  const program = await programOf('process.send({ unavailable: "no binary" })')
  const previews = start({ program })
  await expect(previews.write(paths())).rejects.toThrow(new PreviewsUnavailableError('no binary'))
})

test('the environment of the process has no secrets', async () => {
  process.env['SIGNING_SECRET'] = 'must not be handed on'
  const previews = start()
  await previewsOf(await picture('png'), previews)
  delete process.env['SIGNING_SECRET']
  const names = readFileSync(`/proc/${previews.pid()}/environ`, 'utf8')
    .split('\0')
    .map((line) => line.split('=', 1)[0])
    .filter(Boolean)
  expect(names.toSorted(byText)).toEqual([
    'MALLOC_ARENA_MAX',
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'UV_THREADPOOL_SIZE',
  ])
})

test('the process has few threads, gives way to all others, and is the first to go without memory', async () => {
  const previews = start()
  await previewsOf(await picture('png'), previews)
  const status = readFileSync(`/proc/${previews.pid()}/status`, 'utf8')
  expect(Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1])).toBeLessThan(16)
  const fields = readFileSync(`/proc/${previews.pid()}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  expect(fields[16]).toBe('10')
  expect(readFileSync(`/proc/${previews.pid()}/oom_score_adj`, 'utf8').trim()).toBe('1000')
})

test('the process serves one picture after the other, and ends when there was none for a while', async () => {
  const previews = start({ idleMs: 300 })
  await previewsOf(await picture('png'), previews)
  const pid = previews.pid()
  await setTimeout(150)
  await previewsOf(await picture('jpeg'), previews)
  expect(previews.pid()).toBe(pid)
  await untilGone(pid)
  expect(previews.pid()).toBeNull()
})

const byText = (a = '', b = '') => (a < b ? -1 : 1)

async function untilGone(pid: number | null) {
  const deadline = Date.now() + 5_000
  while (existsSync(`/proc/${pid}`) && Date.now() < deadline) await setTimeout(20)
  expect(existsSync(`/proc/${pid}`)).toBe(false)
}
