import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { API_PROGRAM, buildApi } from '../tools/build/api-build.ts'
import { freePort } from '../tools/stack/settings.ts'
import { cpuMs, memoryMiB } from './compare/process-stats.ts'

const READY_POLL_MS = 5
const READY_TIMEOUT_MS = 120_000
const PROBE = join(import.meta.dirname, 'server-probe.ts')
const SOURCES = 'api/src/server.ts'

export type Api = Awaited<ReturnType<typeof startCheckout>>

/** A checkout without a build script runs from its sources. */
export async function programOf(root: string) {
  if (!existsSync(join(root, 'api/build.ts'))) return SOURCES
  await buildApi(root)
  return API_PROGRAM
}

export const startProbed = (root: string, env: NodeJS.ProcessEnv) =>
  startCheckout({ root, args: ['--import', PROBE, SOURCES], env })

export async function startCheckout(what: {
  root: string
  args: string[]
  env: NodeJS.ProcessEnv
}) {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, what.args, {
    cwd: what.root,
    env: {
      ...what.env,
      NODE_ENV: 'production',
      PORT: String(port),
      METRICS_PORT: '0',
      DRAIN_MS: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const base = `http://127.0.0.1:${port}`
  await untilReady(child, base)
  const readyMs = performance.now() - started
  const pid = child.pid ?? 0
  return {
    base,
    readyMs,
    readyCpuMs: cpuMs(pid),
    cpuMs: () => cpuMs(pid),
    memory: () => memoryText(memoryMiB(pid)),
    ask: async <T>(question: string) => {
      const answered = once(child, 'message')
      child.send(question)
      const [said] = await answered
      return said as T
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilReady(child: ChildProcess, base: string) {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (
    !(await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The API exited before it was ready')
    if (Date.now() > deadline) throw new Error('The API timed out before it was ready')
    await setTimeout(READY_POLL_MS)
  }
}

const memoryText = ({ pss, rss }: ReturnType<typeof memoryMiB>) => `${pss} MiB PSS (${rss} RSS)`
