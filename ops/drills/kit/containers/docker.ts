import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Buildah } from '../../../../tools/release/buildah.ts'
import { installMissing } from '../../../../tools/stack/debian.ts'
import { shipDirectory } from '../../../../tools/release/debian-base.ts'

const START_TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 1 << 26

/**
 * A private, empty Docker engine with Compose, which doesn't change this machine's network. Its containers ask the given name
 * server, those on the host's network too.
 */
export async function startDocker(
  directory: string,
  { buildah, nameServer }: { buildah: Buildah; nameServer?: string },
) {
  installMissing({ 'docker.io': '/usr/sbin/dockerd' })
  const plugins = join(directory, 'config/cli-plugins')
  mkdirSync(plugins, { recursive: true })
  cpSync(bringCompose(buildah), join(plugins, 'docker-compose'))
  const socket = `unix://${directory}/socket`
  const args = [...engineArgs(directory, socket), ...(nameServer ? [`--dns=${nameServer}`] : [])]
  // Ends with the drill, even if that is killed.
  const command = ['--pdeathsig', 'TERM', 'dockerd', ...args]
  const engine = spawn('setpriv', command, logTo(join(directory, 'engine')))
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_CONFIG: join(directory, 'config') }
  const run = (program: string, args: string[], options: RunOptions = {}) =>
    spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES, ...options })

  const stop = async () => {
    if (engine.exitCode === null) {
      const ended = once(engine, 'exit')
      engine.kill('SIGTERM')
      await ended
    }
    // Of containers on this machine's network; would keep the folder busy.
    spawnSync('umount', [`${directory}/run/netns/default`])
  }

  const deadline = Date.now() + START_TIMEOUT_MS
  while (run('docker', ['info']).status !== 0) {
    if (engine.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(
        `The Docker engine did not start: ${readFileSync(join(directory, 'engine'), 'utf8').slice(-2000)}`,
      )
    }
    await setTimeout(200)
  }
  return {
    /** Environment of programs that use this engine. */
    env,
    run,
    docker: (...args: string[]) => {
      const { status, stdout, stderr } = run('docker', args)
      if (status !== 0) throw new Error(`docker ${args.slice(0, 6).join(' ')}: ${stderr || stdout}`)
      return stdout.trim()
    },
    stop,
  }
}

type RunOptions = { cwd?: string; input?: string; env?: NodeJS.ProcessEnv }
export type Docker = Awaited<ReturnType<typeof startDocker>>

/** Images as buildah stores them, under the same names. */
export function loadImages(
  docker: Docker,
  { buildah, folder, images }: { buildah: Buildah; folder: string; images: string[] },
) {
  const file = join(folder, 'images.tar')
  for (const image of images) {
    buildah.run('push', '--quiet', image, `docker-archive:${file}:${image}`)
    docker.docker('load', '--quiet', '--input', file)
    rmSync(file)
  }
}

function engineArgs(directory: string, socket: string) {
  const places = ['--data-root', `${directory}/data`, '--exec-root', `${directory}/run`]
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
