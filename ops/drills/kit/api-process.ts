import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { API_PROGRAM, buildApi } from '../../../tools/build/api-build.ts'
import { freePort } from '../../../tools/stack/settings.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const { SITE_DIR } = process.env
const READY_TIMEOUT_MS = 60_000
const NO_LIMITS = {
  READS_PER_MINUTE: '100000000',
  WRITES_PER_MINUTE: '100000000',
  CREATIONS_PER_MINUTE: '100000000',
  INQUIRIES_PER_HOUR: '100000000',
  CHOICES_PER_HOUR: '100000000',
  PLACES_PER_CALLER: '1000',
  DATABASE_SECONDS_PER_MINUTE: '100000000',
}

export type ApiProcess = Awaited<ReturnType<typeof startApi>>

type Options = {
  env: Record<string, string>
  port?: number
  /** Root of another workspace. */
  root?: string
  /** Log file; without it the output is discarded. */
  log?: string
  /** Uses production's rate limits, which are off by default. */
  hasLimits?: boolean
}

export async function startApi(options: Options) {
  const api = await launchApi(options)
  await untilReady(api.base, api.hasEnded)
  return api
}

export async function launchApi(options: Options) {
  const port = options.port ?? (await freePort())
  const metricsPort = await freePort()
  const output = options.log ? openSync(options.log, 'a') : 'ignore'
  const root = options.root ?? ROOT
  await buildApi(root)
  const child = spawn(process.execPath, [API_PROGRAM], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      ...(root === ROOT && SITE_DIR ? { SITE_DIR } : {}),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DRAIN_MS: '0',
      ...(options.hasLimits ? {} : NO_LIMITS),
      ...options.env,
    },
    stdio: ['ignore', output, output],
  })
  const ended = once(child, 'exit')
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended
  }
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    metricsPort,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

export async function untilReady(base: string, hasEnded = () => false) {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!(await isReady(base))) {
    if (hasEnded()) throw new Error('The API exited before it was ready')
    if (Date.now() > deadline) throw new Error('The API timed out before it was ready')
    await setTimeout(50)
  }
}

const isReady = (base: string) =>
  fetch(`${base}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
