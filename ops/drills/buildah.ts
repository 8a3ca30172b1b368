import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianTar, installPackages, npmNetwork, shipDirectory } from './debian.ts'

/** There is no engine to run images here: buildah builds them, and runs them in a chroot. */
const BASE = 'localhost/gatehouse-base'
const AUTHORITIES = '/run/authorities.crt'
const CHECKOUT = new URL('../..', import.meta.url).pathname

export type ImageConfig = {
  User?: string
  Env: string[]
  Cmd: string[]
  ExposedPorts?: Record<string, unknown>
  Healthcheck?: { Test: string[] }
}

export function openBuildah() {
  installPackages({ buildah: '/usr/bin/buildah' })
  const ship = shipDirectory()
  const storage = ['--root', join(ship, 'images'), '--runroot', join(ship, 'images-run')]
  // Layers share what they have in common where the kernel can overlay them.
  const all = (args: string[]) => ['--storage-driver', driver(), ...storage, ...args]
  const run = (...args: string[]) =>
    execFileSync('buildah', all(args), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    }).trim()

  return {
    run,
    /** Builds one target; the log tells how. */
    build: async (target: string, log: string) => {
      if (!run('images', '--format', '{{.Name}}').split('\n').includes(BASE)) makeBase(run)
      const args = all(['bud', '--isolation', 'chroot', '--layers', '--format', 'docker'])
      const more = ['--pull-never', '--build-arg', `BASE=${BASE}`, ...networkArgs()]
      const output = openSync(log, 'w')
      const build = spawn(
        'buildah',
        [
          ...args,
          ...more,
          '--target',
          target,
          '-t',
          `gatehouse-${target}`,
          '-f',
          'Containerfile',
          '.',
        ],
        { cwd: CHECKOUT, stdio: ['ignore', output, output] },
      )
      const [code] = await once(build, 'exit')
      if (code !== 0) throw new Error(`${target} can not be built: see ${log}`)
    },
    /** A process in a container, as the user of its image. */
    start: (args: string[], log: string) => {
      const output = openSync(log, 'w')
      return spawn('buildah', all(['run', '--isolation', 'chroot', ...args]), {
        stdio: ['ignore', output, output],
        detached: true,
      })
    },
    configOf: (image: string): ImageConfig =>
      JSON.parse(run('inspect', '--type', 'image', image)).Docker.config,
    /** As people read it: 300 MB. */
    sizeOf: (image: string): string => JSON.parse(run('images', '--json', image))[0].size,
  }
}

export type Buildah = ReturnType<typeof openBuildah>

function makeBase(run: (...args: string[]) => string) {
  const container = run('from', 'scratch')
  run('add', '--quiet', container, debianTar(), '/')
  run('commit', '--quiet', container, BASE)
  run('rm', container)
}

function networkArgs() {
  const { registry, certificates } = npmNetwork()
  return [
    `--build-arg=npm_config_registry=${registry}`,
    ...(certificates
      ? [
          `--volume=${certificates}:${AUTHORITIES}:ro`,
          `--build-arg=NODE_EXTRA_CA_CERTS=${AUTHORITIES}`,
        ]
      : []),
  ]
}

const driver = () =>
  readFileSync('/proc/filesystems', 'utf8').includes('\toverlay') ? 'overlay' : 'vfs'
