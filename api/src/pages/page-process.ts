import { fork } from 'node:child_process'
import { extname } from 'node:path'
import type { FromPages, PageJob, Part, ToPages } from './page-job.ts'
import type { Get } from './renderer.ts'

/** Beside this module: in the sources, and beside the bundled server. */
const PROGRAM = new URL(`write-pages${extname(import.meta.url)}`, import.meta.url)
const TIMEOUT_MS = 30_000
const MEMORY_MIB = 256

export type Handlers = {
  get: Get
  onWritten: (part: Part, count: number) => void
  onFailed: (record: string, error: unknown) => void
}

/**
 * Renders and writes pages in a process of its own, without secrets and with limits: React and the pages take 60 MiB, and rendering
 * would hold the event loop.
 */
export function runPageProcess(job: PageJob, { get, onWritten, onFailed }: Handlers) {
  const child = fork(PROGRAM, {
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MIB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let crash: unknown
  const reply = (response: ToPages) => {
    if (child.connected) child.send(response)
  }
  child.on('message', (message: FromPages) => {
    if ('get' in message) {
      const { id } = message
      get(message.get).then(
        (value) => reply({ id, value }),
        (error: unknown) => reply({ id, error }),
      )
    } else if ('written' in message) onWritten(message.written, message.count)
    else if ('record' in message) onFailed(message.record, message.error)
    else crash = message.crash
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(crash ?? new Error(`The process that writes pages ended with ${signal ?? code}`))
    })
  })
  child.send(job)
  return { ended, stop: () => child.kill('SIGKILL') }
}
