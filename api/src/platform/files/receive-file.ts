import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badRequest, HttpError, tooLarge } from '#platform/errors.ts'
import { problemMessages } from '@gatehouse/model'
import { syncPath } from './sync-path.ts'

const RATE_MIN_BYTES = 10_000
const RATE_WINDOW_MS = 60_000

type Expected = { path: string; length: number }

/** Writes a body to a new local file, durably. Returns its checksum; throws unless it has exactly the announced length. */
export async function receiveFile(body: Readable, { path, length }: Expected) {
  const hash = createHash('sha256')
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > length) return done(tooLarge())
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const pace = endIfSlow(counted, () => size)
  try {
    await pipeline(body, counted, createWriteStream(path, { flags: 'wx', mode: 0o640 }))
  } finally {
    clearInterval(pace)
  }
  if (size !== length) throw badRequest(problemMessages.malformed)
  await syncPath(path)
  return hash.digest('hex')
}

/** A sender of single bytes would hold a stream for days. */
function endIfSlow(stream: Transform, sizeNow: () => number) {
  let before = 0
  return setInterval(() => {
    if (sizeNow() - before < (RATE_MIN_BYTES * RATE_WINDOW_MS) / 1000)
      stream.destroy(new HttpError(408, 'too-slow', problemMessages.requestTooSlow))
    before = sizeNow()
  }, RATE_WINDOW_MS)
}
