import { crc32, deflateRawSync } from 'node:zlib'

const DEFLATED = 8
const VERSION = 20

/** A zip archive of one file. */
export function zipOf(name: string, content: Buffer) {
  const packed = deflateRawSync(content)
  const title = Buffer.from(name)
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(VERSION, 0)
  facts.writeUInt16LE(DEFLATED, 4)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(title.length, 22)
  const entry = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, title, packed])
  const listed = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([VERSION, 0]),
    facts,
    // No comment, first disk, no attributes; the entry is at the beginning.
    Buffer.alloc(14),
    title,
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(entry.length, 12)
  return Buffer.concat([entry, listed, Buffer.from('PK\u0005\u0006'), end])
}
