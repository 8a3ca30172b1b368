import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Docker } from './docker.ts'

export type Container = {
  Id: string
  Config: { User: string; Env: string[]; Labels: Record<string, string> }
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null; Memory: number }
  State: { Status: string; ExitCode: number; StartedAt: string; Health?: { Status: string } }
}

/** A deployer's folder, unpacked from the release archive, with its script `gatehouse`. */
export function openDeployment({ docker, folder }: { docker: Docker; folder: string }) {
  const gatehouse = (args: string[], input?: string) => {
    const { status, stdout, stderr } = docker.run('./gatehouse', args, {
      cwd: folder,
      ...(input === undefined ? {} : { input }),
    })
    return { status, output: `${stdout}${stderr}`.trim(), stdout }
  }
  const must = (...args: string[]) => {
    const { status, output, stdout } = gatehouse(args)
    if (status !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${output}`)
    return stdout.trim()
  }
  const containers = (): Container[] => {
    const ids = must('compose', 'ps', '--all', '--quiet').split('\n').filter(Boolean)
    return ids.length === 0 ? [] : JSON.parse(docker.docker('inspect', ...ids))
  }
  return {
    folder,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    /** Replaces a file, also one that may only be read. */
    rewrite: (path: string, change: (text: string) => string) => {
      const file = join(folder, path)
      const { mode } = statSync(file)
      writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')), { mode })
      renameSync(`${file}.new`, file)
    },
    gatehouse,
    /** As `gatehouse`, while this process does other things. */
    startGatehouse: async (args: string[]) => {
      const begun = Date.now()
      const command = ['./gatehouse', ...args].map((arg) => `'${arg}'`).join(' ')
      const running = spawn('sh', ['-c', `${command} 2>&1`], {
        cwd: folder,
        env: docker.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output, [status]] = await Promise.all([
        text(running.stdout),
        once(running, 'exit') as Promise<[number | null]>,
      ])
      return { status, output: output.trim(), seconds: (Date.now() - begun) / 1000 }
    },
    must,
    containers,
    exec: (service: string, ...command: string[]) =>
      gatehouse(['compose', 'exec', '-T', service, ...command]),
    remove: () => gatehouse(['compose', 'down', '--volumes', '--remove-orphans', '--timeout', '5']),
  }
}

export type Deployment = ReturnType<typeof openDeployment>

export const serviceOf = ({ Config }: Container) =>
  Config.Labels['com.docker.compose.service'] ?? ''

/** Names of those that are neither healthy nor completed. */
export const unsettled = (containers: Container[]) =>
  containers
    .filter(({ State: { Status, ExitCode, Health } }) =>
      Status === 'exited'
        ? ExitCode !== 0
        : Status !== 'running' || (Health?.Status ?? 'healthy') !== 'healthy',
    )
    .map((one) => `${serviceOf(one)} ${one.State.Status} ${one.State.Health?.Status ?? ''}`)
