import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuildah } from '../../../../tools/release/buildah.ts'
import {
  ADDRESS,
  HOSTS,
  siteOf,
  startDeployerServices,
  type DeployerServices,
} from '../deployer-services.ts'
import { report, seconds, type Result } from '../results.ts'
import { startDocker } from './docker.ts'
import { buildRelease, unpack } from './release-folder.ts'

/** A machine with an empty engine and folder; `end` leaves nothing of it. */
export type Machine = Awaited<ReturnType<typeof startMachine>>
export type Machines = Awaited<ReturnType<typeof prepareMachines>>

/** A drill on machines: prints its results, and leaves nothing. */
export async function drillMachines(name: string, run: (machines: Machines) => Promise<Result[]>) {
  const started = Date.now()
  const directory = mkdtempSync(join(tmpdir(), `gatehouse-${name}-`))
  chmodSync(directory, 0o755)
  try {
    const machines = await prepareMachines(directory)
    try {
      return report(name, await run(machines), `all in ${seconds(started)} s`)
    } finally {
      await machines.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export async function onMachine<T>(machine: Machine, use: (machine: Machine) => Promise<T>) {
  try {
    return await use(machine)
  } finally {
    await machine.end()
  }
}

/** A release, a bucket, a mail relay and a name server, for machines that are installed from them one after the other. */
async function prepareMachines(directory: string) {
  const release = buildRelease()
  const outside = await startDeployerServices(
    directory,
    Object.fromEntries(HOSTS.map((host) => [host, ADDRESS])),
  )
  const images = readdirSync(release.folder).find((file) => file.includes('-images-')) ?? ''
  return {
    release,
    images: join(release.folder, images),
    certificate: outside.certificate,
    store: outside.store,
    owned: siteOf(outside),
    startMachine: (name: string, own?: DeployerServices['certificate']) =>
      startMachine({
        directory: join(directory, name),
        release,
        ...(own ? { certificate: own } : {}),
      }),
    stop: outside.stop,
  }
}

type MachineSettings = {
  directory: string
  release: ReturnType<typeof buildRelease>
  certificate?: { file: string; key: string }
}

async function startMachine({ directory, release, certificate }: MachineSettings) {
  mkdirSync(directory)
  const docker = await startDocker(directory, { buildah: startBuildah(), nameServer: ADDRESS })
  const end = async () => {
    await docker.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const deployment = unpack({
      docker,
      directory,
      release,
      name: 'gatehouse',
      ...(certificate ? { certificate } : {}),
    })
    return {
      docker,
      deployment,
      /** Without notice: nothing can write, archive or say goodbye any more. */
      end: async () => {
        const running = docker.docker('ps', '--quiet').split('\n').filter(Boolean)
        if (running.length > 0) docker.docker('kill', ...running)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
