import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * Re-encodes a screenshot with the 256 colours it uses most, a third of its size; other colours, mostly of smoothed edges, become
 * the nearest of them. Expects 8 bits per channel, no interlacing, as Chromium writes.
 */
export function toIndexedPng(png: Buffer) {
  const { width, height, pixels } = decode(png)
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour)
  const indexes = new Map(
    [...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)] as const),
  )
  // Each row begins with its filter; none suits a palette best.
  const rows = Buffer.alloc((width + 1) * height)
  pixels.forEach((colour, at) => {
    rows[at + Math.floor(at / width) + 1] = indexes.get(colour) ?? 0
  })
  return Buffer.concat([
    SIGNATURE,
    chunk(
      'IHDR',
      Buffer.concat([uint32(width), uint32(height), Buffer.from([8, INDEXED, 0, 0, 0])]),
    ),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const [RGB, INDEXED] = [2, 3]

const channelsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearestIn(palette: number[], colour: number) {
  const wanted = channelsOf(colour)
  let [best, least] = [0, Infinity]
  for (const [index, one] of palette.entries()) {
    const distance = channelsOf(one).reduce(
      (sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2,
      0,
    )
    if (distance < least) [best, least] = [index, distance]
  }
  return best
}

function uint32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

function decode(png: Buffer) {
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const size = png[25] === RGB ? 3 : 4
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * size, size)
  const pixels = new Uint32Array(width * height).map((_, at) => bytes.readUIntBE(at * size, 3))
  return { width, height, pixels }
}

/** https://www.w3.org/TR/png-3/#9Filters: each byte is a difference to those left, above, and above left. */
function unfilter(rows: Buffer, length: number, size: number) {
  const bytes = Buffer.alloc((rows.length / (length + 1)) * length)
  for (let at = 0; at < bytes.length; at++) {
    const [row, column] = [Math.floor(at / length), at % length]
    const left = column < size ? 0 : (bytes[at - size] ?? 0)
    const above = row === 0 ? 0 : (bytes[at - length] ?? 0)
    const corner = column < size || row === 0 ? 0 : (bytes[at - length - size] ?? 0)
    const filter = rows[row * (length + 1)] ?? 0
    const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
    bytes[at] = (rows[at + row + 1] ?? 0) + guess
  }
  return bytes
}

function paeth(left: number, above: number, corner: number) {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)]
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
