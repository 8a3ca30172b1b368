import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { lowerPriority } from '#platform/lower-priority.ts'
import type { FromPreviews, PreviewJob } from './preview-job.ts'
import { PREVIEW_PX } from './store.ts'

/** A process that reads pictures and writes their previews (preview-process.ts). A picture may crash it, or make it grow. */
const PIXELS_MAX = 50_000_000
const WEBP_QUALITY = 80
const FILE_MODE = 0o640

/** Loaders of the types that the server hands out as pictures. Above all not those of SVG, PDF and TIFF. */
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

lowerPriority()
beFirstToGo()

// The worker has ended. A regular exit would wait for the picture that is being read.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const sharp = await loadSharp()
if (sharp) {
  process.on('message', (job: PreviewJob) => {
    writePreviews(sharp, job).then(
      () => send({ written: true }),
      (error: unknown) => send({ unreadable: messageOf(error) }),
    )
  })
  send({ ready: true })
}

/** If the memory of a container runs out, the kernel ends this process and not the API. */
function beFirstToGo() {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not on Linux: nothing chooses among processes there.
  }
}

/** Undefined on a machine for which there is no binary, or where it can't be loaded. */
async function loadSharp() {
  try {
    const { default: loaded } = await import('sharp')
    loaded.concurrency(1)
    loaded.cache(false)
    loaded.block({ operation: ['VipsForeignLoad'] })
    loaded.unblock({ operation: LOADERS })
    return loaded
  } catch (error) {
    send({ unavailable: messageOf(error) })
    return undefined
  }
}

type Sharp = NonNullable<Awaited<ReturnType<typeof loadSharp>>>

/** Metadata is left out by default; the first frame of an animation is read by default. */
async function writePreviews(load: Sharp, { source, targets }: PreviewJob) {
  const { data, info } = await load(source, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize(fitting(PREVIEW_PX.large))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // The picture is decoded once for both.
  const decoded = load(data, { raw: { width, height, channels } })
  for (const [size, path] of Object.entries(targets)) {
    const preview = decoded.clone().resize(fitting(PREVIEW_PX[size as keyof typeof targets]))
    const bytes = await preview.webp({ quality: WEBP_QUALITY }).toBuffer()
    await writeFile(path, bytes, { mode: FILE_MODE })
  }
}

const fitting = (edge: number) =>
  ({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true }) as const

/** The first line: the others are advice for developers. */
const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

function send(message: FromPreviews) {
  process.send?.(message)
}
