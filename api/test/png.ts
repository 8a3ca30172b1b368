import { crc32 } from 'node:zlib'

type Header = { edge: number; depth: number; colours: number; isInterlaced?: boolean }

/** A square picture of compressed pixels, byte for byte; a comment makes it larger. */
export function png(
  { edge, depth, colours, isInterlaced = false }: Header,
  pixels: Buffer,
  comment = '',
) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(edge, 0)
  header.writeUInt32BE(edge, 4)
  header.set([depth, colours, 0, 0, Number(isInterlaced)], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`)),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
