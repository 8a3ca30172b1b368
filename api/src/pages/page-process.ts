import { fork } from 'node:child_process'
import { extname } from 'node:path'
import type { Fetched, FromPages, PageJob, Progress, ToPages } from './page-job.ts'

/** Beside this module: in the sources, and beside the bundled server. */
const PROGRAM = new URL(`write-pages${extname(import.meta.url)}`, import.meta.url)
const TIMEOUT_MS = 30_000
const MEMORY_MIB = 256

export type Handlers = {
  fetch: (path: string) => Promise<Fetched>
  onWritten: (part: 'fixed' | 'indexes') => void
  onRendering: (path: string) => void
  onFailed: (record: string, error: unknown) => void
}

/**
 * Renders and writes pages in a process of its own, without secrets and with limits: React and the pages take 60 MiB, and rendering
 * would hold the event loop.
 */
export function runPageProcess(job: PageJob, handlers: Handlers) {
  const child = fork(PROGRAM, {
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MIB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let crash: unknown
  let progress: Progress | undefined
  const reply = (response: ToPages) => {
    if (child.connected) child.send(response)
  }
  child.on('message', (message: FromPages) => {
    if ('get' in message) {
      const { id } = message
      handlers.fetch(message.get).then(
        (fetched) => reply({ id, fetched }),
        (error: unknown) => reply({ id, error }),
      )
    } else if ('rendering' in message) handlers.onRendering(message.rendering)
    else if ('written' in message) handlers.onWritten(message.written)
    else if ('record' in message) handlers.onFailed(message.record, message.error)
    else if ('done' in message) progress = message.done
    else crash = message.crash
  })
  const ended = new Promise<Progress>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (progress && code === 0) resolve(progress)
      else reject(crash ?? new Error(`The process that writes pages ended with ${signal ?? code}`))
    })
  })
  child.send(job)
  return { ended, stop: () => child.kill('SIGKILL') }
}
