import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

const CHUNK_BYTES = 65_536

export type Upload = { status: number; id: string; sha256: string }

type Sent = {
  base: string
  token: string
  bytes: number
  /** Pause after each chunk of this size; without it as fast as the other side reads. */
  slow?: { chunkBytes: number; pauseMs: number }
  signal?: AbortSignal
  /** When the first byte is sent. nginx waits five seconds for headers, and this process could be busy with other uploads. */
  start?: Promise<unknown>
}

/** Uploads bytes that no two files share, never all of them in memory. */
export async function uploadFile({
  base,
  token,
  bytes,
  slow,
  signal,
  start,
}: Sent): Promise<Upload> {
  const hash = createHash('sha256')
  const asked = request(`${base}/api/files`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': String(bytes),
      'x-file-name': 'drill.bin',
    },
    ...(signal ? { signal } : {}),
  })
  asked.flushHeaders()
  const answered = once(asked, 'response')
  answered.catch(() => {})
  await start
  // A refusal comes before the end, and closes: the answer says why.
  await pipeline(Readable.from(chunksOf(bytes, hash, slow)), asked).catch(() => {})
  const [response] = await answered
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += String(part)
  const status = Number(response.statusCode)
  const { id = '' } = status === 201 ? (JSON.parse(text) as { id: string }) : {}
  return { status, id, sha256: hash.digest('hex') }
}

async function* chunksOf(bytes: number, hash: ReturnType<typeof createHash>, slow: Sent['slow']) {
  const size = slow?.chunkBytes ?? CHUNK_BYTES
  const noise = randomBytes(size)
  for (let left = bytes, place = 0; left > 0; left -= size, place++) {
    noise.writeUInt32LE(place, 0)
    const chunk = Buffer.from(noise.subarray(0, Math.min(size, left)))
    hash.update(chunk)
    yield chunk
    if (slow) await setTimeout(slow.pauseMs)
  }
}

/** Checksum and size of what a link opens. */
export async function downloadFile(address: string) {
  const asked = request(address, { agent: false }).end()
  const [response] = await once(asked, 'response')
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of response) {
    hash.update(part)
    bytes += part.length
  }
  return { status: Number(response.statusCode), bytes, sha256: hash.digest('hex') }
}
