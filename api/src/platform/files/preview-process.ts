import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FromPreviews, PreviewJob } from './preview-job.ts'
import { buildGate } from './upload-slots.ts'

/** Beside this module: in the sources, and beside the bundled server. */
const PROGRAM = new URL(`write-previews${extname(import.meta.url)}`, import.meta.url)
/** Of V8 alone; pixels are outside its heap. */
const HEAP_MIB = 64
const SAMPLE_MS = 50

const LIMITS = { program: PROGRAM, timeoutMs: 20_000, memoryMax: 400_000_000, idleMs: 60_000 }

export type PreviewLimits = typeof LIMITS

/** No preview can be made on this machine. */
export class PreviewsUnavailableError extends Error {}
/** Its process did not start in time, as on a machine that is busy now. */
export class PreviewsDelayedError extends Error {}
/** The picture is no picture, is damaged, or has too many pixels. */
export class UnreadablePictureError extends Error {}
/** The picture ended the process: it took too long, too much memory, or crashed it. */
export class PreviewKilledError extends Error {}

export type PreviewProcess = ReturnType<typeof buildPreviewProcess>

/**
 * Writes previews in a process of its own, without secrets and with limits: one picture after the other. It starts with the first
 * one and ends when there was none for a while.
 */
export function buildPreviewProcess(limits: Partial<PreviewLimits> = {}) {
  const { program, timeoutMs, memoryMax, idleMs } = { ...LIMITS, ...limits }
  const inTurn = buildGate(1)
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined

  async function start() {
    const started = fork(program, {
      env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--v8-pool-size=1'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child = started
    const forget = () => {
      if (child === started) child = null
    }
    started.once('exit', forget)
    started.once('error', forget)
    // Never a reason for the worker to go on running.
    started.unref()
    started.channel?.unref()
    const answer = await within(started, () => {}).catch(toUnavailable)
    if ('unavailable' in answer) {
      const isDelayed = started.killed
      stop()
      const { unavailable } = answer
      throw isDelayed
        ? new PreviewsDelayedError(unavailable)
        : new PreviewsUnavailableError(unavailable)
    }
    return started
  }

  /** The next answer of the process, which is killed beyond its limits. */
  async function within(running: ChildProcess, ask: () => void) {
    let reason = ''
    const kill = (why: string) => {
      reason = why
      running.kill('SIGKILL')
    }
    const timer = setTimeout(() => kill(`took longer than ${timeoutMs} ms`), timeoutMs)
    const sampler = setInterval(() => {
      const bytes = residentBytes(running.pid)
      if (bytes > memoryMax) kill(`took ${Math.round(bytes / 1_000_000)} MB`)
    }, SAMPLE_MS)
    try {
      return await answerOf(running, ask, () => reason)
    } finally {
      clearTimeout(timer)
      clearInterval(sampler)
    }
  }

  function stop() {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
  }

  return {
    write: (job: PreviewJob) =>
      inTurn(async () => {
        clearTimeout(idle)
        try {
          const running = child ?? (await start())
          const answer = await within(running, () => running.send(job))
          if ('unreadable' in answer) throw new UnreadablePictureError(answer.unreadable)
        } finally {
          idle = setTimeout(stop, idleMs).unref()
        }
      }),
    /** Null while none runs. */
    pid: () => child?.pid ?? null,
    stop,
  }
}

const answerOf = (running: ChildProcess, ask: () => void, reasonOf: () => string) =>
  new Promise<FromPreviews>((resolve, reject) => {
    const end = () => {
      running.off('message', take)
      running.off('exit', fail)
      running.off('error', fail)
    }
    const take = (message: unknown) => {
      end()
      resolve(message as FromPreviews)
    }
    const fail = (code: unknown, signal?: unknown) => {
      end()
      reject(new PreviewKilledError(reasonOf() || `ended with ${String(signal ?? code)}`))
    }
    running.on('message', take)
    running.on('exit', fail)
    running.on('error', fail)
    ask()
  })

/** No picture was read yet: the binary ended it, as one for newer processors does. */
const toUnavailable = ({ message }: Error): FromPreviews => ({ unavailable: message })

/** 0 where the system has no /proc, as on a developer's laptop: there the number of pixels is the only bound. */
function residentBytes(pid: number | undefined) {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1_024
  } catch {
    return 0
  }
}
