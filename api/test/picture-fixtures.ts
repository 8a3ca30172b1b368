import { createDeflate, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { png } from './png.ts'

sharp.concurrency(1)
sharp.cache(false)

const PLAIN = { width: 600, height: 400, channels: 3, background: '#33aa66' } as const

/** What a camera hides in a photograph. */
export const HIDDEN = 'Erika Muster'

/** Wider than high as it is stored; its EXIF data say that it was taken upright, where, and by whom. */
export const photo = () =>
  sharp({ create: PLAIN })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: HIDDEN },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 20/1 0/1' },
    })
    .jpeg()
    .toBuffer()

export const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'tiff', width = 600) =>
  sharp({ create: { ...PLAIN, width } })
    .toFormat(format)
    .toBuffer()

/** Two frames: red, then blue. */
export async function animation() {
  const frames = ['#ff0000', '#0000ff'].map((background) =>
    sharp({ create: { ...PLAIN, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ loop: 0 })
    .toBuffer()
}

/** Small as a file: 900 million pixels. */
export const pixelBomb = () => {
  const edge = 30_000
  return png({ edge, depth: 1, colours: 0 }, deflateSync(Buffer.alloc((edge / 8 + 1) * edge)))
}

/** Fewer pixels than the limit, but of eight bytes and interlaced, so that all of them are in memory at once: 392 MB. */
export async function memoryBomb() {
  const edge = 7_000
  const deflate = createDeflate({ level: 1 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => deflate.on('end', resolve))
  const zeros = Buffer.alloc(1_000_000)
  for (let left = interlacedBytes(edge, 8); left > 0; left -= zeros.length)
    if (!deflate.write(zeros.subarray(0, Math.min(left, zeros.length))))
      await new Promise((resolve) => deflate.once('drain', resolve))
  deflate.end()
  await ended
  return png({ edge, depth: 16, colours: 6, isInterlaced: true }, Buffer.concat(parts))
}

/** The seven passes of Adam7: first column and row, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const interlacedBytes = (edge: number, pixelBytes: number) =>
  PASSES.map(([x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((edge - x) / dx), Math.ceil((edge - y) / dy)]
    return rows * (1 + columns * pixelBytes)
  }).reduce((a, b) => a + b)
