import { setTimeout } from 'node:timers/promises'
import type { Docker } from './docker.ts'

const CHECKOUT = new URL('../../../..', import.meta.url).pathname
const READY_TIMEOUT_MS = 180_000

export type Container = {
  Id: string
  Config: { User: string; Labels: Record<string, string> }
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null }
  State: {
    Status: string
    ExitCode: number
    StartedAt: string
    Health?: { Status: string; Log: { Output: string }[] }
  }
}

export function startProject({ docker, envFile }: { docker: Docker; envFile: string }) {
  const compose = (...args: string[]) =>
    docker.compose(['--project-directory', CHECKOUT, '--env-file', envFile, ...args])
  const must = (...args: string[]) => {
    const { status, stdout, stderr } = compose(...args)
    if (status !== 0) throw new Error(`compose ${args.join(' ')}: ${stderr || stdout}`)
    return stdout.trim()
  }
  const containers = (): Container[] => {
    const ids = must('ps', '--all', '--quiet').split('\n').filter(Boolean)
    return ids.length === 0 ? [] : JSON.parse(docker.docker('inspect', ...ids))
  }
  return {
    must,
    containers,
    exec: (service: string, ...command: string[]) => compose('exec', '-T', service, ...command),
    up: (...more: string[]) => must('up', '--detach', '--no-build', ...more),
    /** Waits until each container is healthy or has exited with 0; returns those that aren't at the deadline. */
    settle: async () => {
      const deadline = Date.now() + READY_TIMEOUT_MS
      for (;;) {
        const waiting = containers().filter((container) => !isSettled(container))
        if (waiting.length === 0 || Date.now() > deadline)
          return waiting.map((container) => `${serviceOf(container)} ${container.State.Status}`)
        await setTimeout(500)
      }
    },
    logs: () => compose('logs', '--no-color', '--tail', '30').stdout,
    remove: () => compose('down', '--volumes', '--remove-orphans', '--timeout', '5'),
  }
}

export type Project = ReturnType<typeof startProject>

export const serviceOf = ({ Config }: Container) =>
  Config.Labels['com.docker.compose.service'] ?? ''

const isSettled = ({ State: { Status, ExitCode, Health } }: Container) =>
  Status === 'exited'
    ? ExitCode === 0
    : Status === 'running' && (Health?.Status ?? 'healthy') === 'healthy'
