import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Buildah } from './buildah.ts'
import { installMissing } from '../../../../tools/stack/debian.ts'
import { shipDirectory } from './debian.ts'

const START_TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 1 << 26

/** A private Docker engine with only the given images, which doesn't change this machine's network. */
export async function startDocker(directory: string, buildah: Buildah) {
  installMissing({ 'docker.io': '/usr/sbin/dockerd' })
  const compose = bringCompose(buildah)
  const socket = `unix://${directory}/socket`
  const engine = spawn('dockerd', engineArgs(directory, socket), logTo(join(directory, 'engine')))
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_BUILDKIT: '0' }
  const run = (program: string, args: string[], input = '') =>
    spawnSync(program, args, { env, encoding: 'utf8', input, maxBuffer: MAX_OUTPUT_BYTES })
  const must = (program: string, args: string[], input?: string) => {
    const { status, stdout, stderr } = run(program, args, input)
    if (status !== 0) throw new Error(`${args.slice(0, 6).join(' ')}: ${stderr || stdout}`)
    return stdout.trim()
  }
  const docker = (...args: string[]) => must('docker', args)

  const deadline = Date.now() + START_TIMEOUT_MS
  while (run('docker', ['info']).status !== 0) {
    if (engine.exitCode !== null || Date.now() > deadline)
      throw new Error(`The Docker engine did not start: see ${directory}/engine`)
    await setTimeout(200)
  }

  return {
    docker,
    /** Size of the build context as the engine prints it, such as 9.1MB. */
    contextOf: (folder: string) => {
      const said = must('docker', ['build', '-f', '-', folder], 'FROM scratch\nCOPY package.json /')
      return /Sending build context to Docker daemon\s+(\S+)/.exec(said)?.[1] ?? ''
    },
    /** Loads an image from buildah's storage under the name in compose.yaml. */
    load: (name: string) => {
      const there = docker('images', '--quiet', '--no-trunc', name)
      if (there === `sha256:${buildah.idOf(name)}`) return
      const archive = join(directory, 'image.tar')
      buildah.run('push', '--quiet', name, `docker-archive:${archive}:${name}`)
      docker('load', '--quiet', '--input', archive)
      rmSync(archive)
    },
    compose: (args: string[]) => run(compose, args),
    stop: async () => {
      const ended = once(engine, 'exit')
      engine.kill('SIGTERM')
      await ended
    },
  }
}

export type Docker = Awaited<ReturnType<typeof startDocker>>

function engineArgs(directory: string, socket: string) {
  const places = ['--data-root', join(shipDirectory(), 'docker'), '--exec-root', `${directory}/run`]
  // Ports are forwarded by docker-proxy: no firewall rule, route or bridge besides the project's own.
  const network = ['--iptables=false', '--ip-forward=false', '--bridge=none']
  return [...places, '--pidfile', join(directory, 'pid'), '--host', socket, ...network]
}

/** Debian 12 only has Compose v1. */
function bringCompose(buildah: Buildah) {
  const file = join(shipDirectory(), 'docker-compose')
  if (existsSync(file)) return file
  const container = buildah.run('from', '--pull-never', buildah.base('trixie'))
  const script =
    'cd /root && apt-get -qq update && apt-get -qq download docker-compose && dpkg-deb -x *.deb out'
  buildah.run('run', '--isolation', 'chroot', container, '--', 'sh', '-c', script)
  const root = buildah.run('mount', container)
  cpSync(join(root, 'root/out/usr/libexec/docker/cli-plugins/docker-compose'), `${file}.new`)
  renameSync(`${file}.new`, file)
  buildah.run('rm', container)
  return file
}

function logTo(file: string) {
  const output = openSync(file, 'w')
  return { stdio: ['ignore', output, output] as ['ignore', number, number] }
}
