import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** Asks the scanner about a local file. Throws if it gives no verdict. */
export type Scanner = (path: string) => Promise<'clean' | 'infected'>

type Address = { host: string; port: number; timeoutMs: number }

const CHUNK_BYTES = 262_144
const ANSWER_MAX = 4_096

/** ClamAV's daemon, by its command INSTREAM: the file in chunks, each behind its length, then a length of zero. */
export const clamdScanner =
  ({ host, port, timeoutMs }: Address): Scanner =>
  async (path) => {
    const socket = connect(port, host)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const answer = readAnswer(socket, signal)
      // Awaited below; a failure before that is no unhandled one.
      answer.catch(() => {})
      const sent = send(socket, path, signal).catch(async (error: unknown) => {
        if (!(await settled(answer))) throw error
      })
      // It answers before the end if it has seen enough, and closes: a write then fails, or waits for a drain that never comes.
      await Promise.race([sent, answer])
      return toVerdict(await answer)
    } finally {
      socket.destroy()
    }
  }

/** Whether the daemon responds, by its command PING. */
export async function isScannerUp({ host, port, timeoutMs }: Address) {
  const socket = connect(port, host)
  try {
    const answer = readAnswer(socket, AbortSignal.timeout(timeoutMs))
    socket.write('zPING\0')
    return (await answer) === 'PONG'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function send(socket: Socket, path: string, signal: AbortSignal) {
  socket.write('zINSTREAM\0')
  await pipeline(
    createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) yield Buffer.concat([lengthOf(chunk.length), chunk])
      yield lengthOf(0)
    },
    socket,
    { signal, end: false },
  )
}

function lengthOf(bytes: number) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

async function readAnswer(socket: Socket, signal: AbortSignal) {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => {
    if (text.length < ANSWER_MAX) text += part
  })
  await once(socket, 'end', { signal })
  return text.replaceAll('\0', '').trim()
}

const settled = (answer: Promise<string>) =>
  answer.then(
    (text) => text !== '',
    () => false,
  )

function toVerdict(answer: string) {
  if (answer === 'stream: OK') return 'clean'
  if (/^stream: .+ FOUND$/.test(answer)) return 'infected'
  // The answer may quote a path of the scanner's machine.
  throw new Error('the virus scanner gave no verdict')
}
