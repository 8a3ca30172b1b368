import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CHECKOUT } from './settings.ts'

const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 100
const LOG_TAIL_LINES = 25

/** A background program: its process group is stored in a file beside its log. */
export type Background = { name: string; state: string }

export const logOf = ({ name, state }: Background) => join(state, `${name}.log`)
const pidFileOf = ({ name, state }: Background) => join(state, `${name}.pid`)

/** Starts it in its own process group, so that one signal reaches its children too. */
export function startBackground(
  background: Background,
  { command, args, env }: { command: string; args: string[]; env?: NodeJS.ProcessEnv },
) {
  const log = openSync(logOf(background), 'w', 0o600)
  const child = spawn(command, args, {
    cwd: CHECKOUT,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  })
  closeSync(log)
  child.on('error', (error) => writeFileSync(logOf(background), String(error)))
  child.unref()
  if (child.pid !== undefined)
    writeFileSync(pidFileOf(background), `${child.pid} ${startOf(child.pid)}`)
}

/** Runs a program silently; on failure, throws with the end of its log. */
export async function runLogged(
  background: Background,
  command: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
) {
  const log = openSync(logOf(background), 'w', 0o600)
  const child = spawn(command, args, {
    cwd: CHECKOUT,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  })
  closeSync(log)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${background.name} failed:\n${tailOf(background)}`)
}

/** The process group, or null if none of it is running. */
export function groupOf(background: Background) {
  const file = pidFileOf(background)
  if (!existsSync(file)) return null
  const [pid, start] = readFileSync(file, 'utf8').split(' ')
  const group = Number(pid)
  const leader = startOf(group)
  // After a reboot the pid may belong to another process.
  if (leader !== null && leader !== start) return null
  return isGroupAlive(group) ? group : null
}

export async function stopBackground(background: Background) {
  const group = groupOf(background)
  if (group !== null) await endGroup(group)
  rmSync(pidFileOf(background), { force: true })
}

export async function untilReady(
  background: Background,
  { isReady, timeoutMs }: { isReady: () => Promise<boolean>; timeoutMs: number },
) {
  const deadline = Date.now() + timeoutMs
  while (!(await isReady())) {
    if (groupOf(background) === null)
      throw new Error(`${background.name} exited before it was ready:\n${tailOf(background)}`)
    if (Date.now() > deadline)
      throw new Error(`${background.name} timed out before it was ready:\n${tailOf(background)}`)
    await setTimeout(POLL_MS)
  }
}

export const isResponding = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

export const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

async function endGroup(group: number) {
  const deadline = Date.now() + STOP_TIMEOUT_MS
  signalGroup(group, 'SIGTERM')
  while (isGroupAlive(group)) {
    if (Date.now() > deadline) signalGroup(group, 'SIGKILL')
    await setTimeout(POLL_MS)
  }
}

function signalGroup(group: number, signal: NodeJS.Signals) {
  try {
    process.kill(-group, signal)
  } catch {
    // Already exited.
  }
}

const isGroupAlive = (group: number) =>
  readdirSync('/proc').some((pid) => {
    const facts = /^\d+$/.test(pid) ? statOf(Number(pid)) : null
    // Zombies don't count as running.
    return facts !== null && Number(facts[2]) === group && facts[0] !== 'Z'
  })

/** Start time of a process, in ticks since boot. */
const startOf = (pid: number) => statOf(pid)?.[19] ?? null

/** Fields of /proc/PID/stat after the name, which may contain anything: state, parent, group and so on. */
function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const tailOf = (background: Background) =>
  readFileSync(logOf(background), 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')
