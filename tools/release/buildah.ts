import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from '../stack/debian.ts'
import {
  debianTar,
  npmNetwork,
  OWN_ARCHITECTURE,
  shipDirectory,
  type Architecture,
  type Release,
} from './debian-base.ts'

/** Builds images without an engine or registry, from our own Debian base. */
const AUTHORITIES = '/run/authorities.crt'

export type ImageConfig = {
  User?: string
  Env: string[]
  Cmd: string[]
  ExposedPorts?: Record<string, unknown>
  Healthcheck?: { Test: string[] }
}

/** `log` gets the output; `args` are further options. */
export type ImageBuild = {
  tag: string
  file: string
  context: string
  log: string
  arch?: Architecture
  target?: string
  args?: string[]
}

export function startBuildah() {
  installMissing({ buildah: '/usr/bin/buildah' })
  const ship = shipDirectory()
  const storage = ['--root', join(ship, 'images'), '--runroot', join(ship, 'images-run')]
  // overlayfs if the kernel supports it.
  const all = (args: string[]) => ['--storage-driver', driver(), ...storage, ...args]
  const run = (...args: string[]) =>
    execFileSync('buildah', all(args), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    }).trim()

  const base = (release: Release, arch: Architecture = OWN_ARCHITECTURE) => {
    const name = `localhost/gatehouse-${release}-${arch}`
    if (!run('images', '--format', '{{.Name}}').split('\n').includes(name))
      makeBase(run, name, { release, arch })
    return name
  }

  return {
    run,
    base,
    build: async ({ tag, file, context, log, arch, target, args = [] }: ImageBuild) => {
      const options = ['--isolation', 'chroot', '--layers', '--format', 'docker', '--pull-never']
      // By its ID: under its name buildah finds no image of another processor than the one it builds for.
      const own = run('images', '--quiet', base('trixie'))
      const bases = [`BASE=${base('trixie', arch)}`, `BUILD_BASE=${own}`]
      const more = [
        ...bases.map((one) => `--build-arg=${one}`),
        ...networkArgs(),
        ...(arch ? [`--arch=${arch}`] : []),
        ...(target ? [`--target=${target}`] : []),
        ...args,
      ]
      const output = openSync(log, 'a')
      const command = all(['bud', ...options, ...more, '-t', tag, '-f', file, context])
      const building = spawn('buildah', command, { stdio: ['ignore', output, output] })
      const [code] = await once(building, 'exit')
      if (code !== 0) throw new Error(`Failed to build ${tag}: see ${log}`)
    },
    /** Runs a process in a container as the image's user. */
    start: (args: string[], log: string) => {
      const output = openSync(log, 'w')
      return spawn('buildah', all(['run', '--isolation', 'chroot', ...args]), {
        stdio: ['ignore', output, output],
        detached: true,
      })
    },
    configOf: (image: string): ImageConfig =>
      JSON.parse(run('inspect', '--type', 'image', image)).Docker.config,
    /** Human-readable size, such as 300 MB. */
    sizeOf: (image: string): string => JSON.parse(run('images', '--json', image))[0].size,
  }
}

export type Buildah = ReturnType<typeof startBuildah>

function makeBase(
  run: (...args: string[]) => string,
  name: string,
  { release, arch }: { release: Release; arch: Architecture },
) {
  const container = run('from', `--arch=${arch}`, 'scratch')
  run('add', '--quiet', container, debianTar(release, arch), '/')
  run('config', `--arch=${arch}`, container)
  run('commit', '--quiet', container, name)
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
