import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readHeadOnly, type ReadEmail, type ReadOptions } from './read-email.ts'

/** Beside this module: in the sources, and beside the bundled worker. */
const PROGRAM = new URL(`read-email-worker${extname(import.meta.url)}`, import.meta.url)

const LIMITS = { program: PROGRAM, timeoutMs: 20_000, heapMiB: 384 }

export type ThreadLimits = typeof LIMITS

/** What a thread is sent; `raw` is moved to it. */
export type ReadRequest = { raw: Uint8Array; options: ReadOptions }

/** `crash`: the email is unread, and may be read again by a later release. */
export type ThreadResult = { email: ReadEmail; failure: 'crash' | 'memory' | 'timeout' | null }

/**
 * Reads emails in a thread with limits, one after the other: an email is others' data, and may take any time, any memory or crash
 * what reads it. It is then read by its head alone.
 */
export function buildEmailThread(limits: Partial<ThreadLimits> = {}) {
  const { program, timeoutMs, heapMiB } = { ...LIMITS, ...limits }
  let worker: Worker | null = null
  let pending: ((result: Settled) => void) | null = null
  let last: Promise<unknown> = Promise.resolve()

  function start() {
    const started = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } })
    const settle = (result: Settled) => {
      if (worker === started) pending?.(result)
    }
    // Not `once`: the answer to the second request would never arrive (Node 24).
    started.on('message', (email: ReadEmail) => settle({ email }))
    started.on('error', (error) => settle({ failure: failureOf(error) }))
    started.on('exit', () => settle({ failure: 'crash' }))
    // Never a reason for the process to go on running.
    started.unref()
    return started
  }

  async function read(raw: Buffer, options: ReadOptions): Promise<ThreadResult> {
    worker ??= start()
    const running = worker
    const settled = await new Promise<Settled>((resolve) => {
      const timer = setTimeout(() => resolve({ failure: 'timeout' }), timeoutMs)
      pending = (result) => {
        clearTimeout(timer)
        resolve(result)
      }
      const copy = Uint8Array.from(raw)
      running.postMessage({ raw: copy, options } satisfies ReadRequest, [copy.buffer])
    })
    pending = null
    if ('email' in settled) return { email: settled.email, failure: null }
    await stop()
    return { email: readHeadOnly(raw, options), failure: settled.failure }
  }

  async function stop() {
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }

  return {
    /** Never rejects because of an email. */
    read: (raw: Buffer, options: ReadOptions) => {
      const result = last.then(() => read(raw, options))
      last = result.catch(() => {})
      return result
    },
    stop,
  }
}

type Settled = { email: ReadEmail } | { failure: 'crash' | 'memory' | 'timeout' }

const failureOf = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash'
