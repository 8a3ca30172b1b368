import { setTimeout } from 'node:timers/promises'
import type { startKeyServer } from './kit/key-server.ts'
import { many, startClients, type LoadClient } from './kit/load-generator.ts'
import { creations, type Write } from './kit/kill-writes.ts'

const WRITERS = 20
const WRITES_MAX = 20_000
/** Unavailable, or a first attempt still in flight: both carry Retry-After. */
const REFUSALS = new Set<unknown>([503, 409])
/** Pauses: after a success, so that mail keeps up; after a rejection, shorter than Retry-After, to provoke more. */
const PAUSE_MS = { kept: 1_000, rejected: 250 }

/** Creations, each retried with its key until stored. Any other response must be a rejection with Retry-After. */
export async function startWriters(keys: Awaited<ReturnType<typeof startKeyServer>>, base: string) {
  const writes = await creations(keys, WRITES_MAX)
  const done = { created: 0, refused: 0, slowestS: 0, problems: [] as string[] }

  const isKept = async (write: Write) => {
    const started = Date.now()
    const answer = await send(base, write)
    done.slowestS = Math.max(done.slowestS, (Date.now() - started) / 1000)
    if (answer.status === 201) return true
    const isWaitable = REFUSALS.has(answer.status) && answer.retryAfter !== null
    if (!isWaitable)
      done.problems.push(`${write.name} got ${answer.status} (Retry-After ${answer.retryAfter})`)
    done.refused++
    return false
  }
  const writer: LoadClient = async (isEnding) => {
    while (!isEnding()) {
      const write = writes.pop()
      if (!write) throw new Error('the writes ran out before the drill ended')
      while (!(await isKept(write))) await setTimeout(PAUSE_MS.rejected)
      done.created++
      await setTimeout(PAUSE_MS.kept)
    }
  }
  return startClients(many(WRITERS, writer), () => done)
}

async function send(base: string, { method, path, headers, body }: Write) {
  try {
    const response = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
    await response.arrayBuffer()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    return { status: String(error), retryAfter: null }
  }
}
