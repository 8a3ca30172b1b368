import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from '../../../../tools/stack/debian.ts'
import { debianTar, npmNetwork, shipDirectory, type Release } from './debian.ts'

/** Builds images without an engine or registry, from our own Debian base. */
const BASES: Record<Release, string> = {
  bookworm: 'localhost/gatehouse-base',
  trixie: 'localhost/gatehouse-trixie',
}
const AUTHORITIES = '/run/authorities.crt'
const CHECKOUT = new URL('../../../..', import.meta.url).pathname

export type ImageConfig = {
  User?: string
  Env: string[]
  Cmd: string[]
  ExposedPorts?: Record<string, unknown>
  Healthcheck?: { Test: string[] }
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

  const base = (release: Release) => {
    const name = BASES[release]
    if (!run('images', '--format', '{{.Name}}').split('\n').includes(name)) makeBase(run, release)
    return name
  }
  const build = async (tag: string, args: string[], log: string, cwd = CHECKOUT) => {
    const options = ['--isolation', 'chroot', '--layers', '--format', 'docker', '--pull-never']
    const output = openSync(log, 'w')
    const building = spawn('buildah', all(['bud', ...options, '-t', tag, ...args]), {
      cwd,
      stdio: ['ignore', output, output],
    })
    const [code] = await once(building, 'exit')
    if (code !== 0) throw new Error(`Failed to build ${tag}: see ${log}`)
  }

  return {
    run,
    base,
    /** Builds one of our targets from this checkout or a copy of it; output goes to the log. */
    build: (target: string, log: string, checkout?: string) => {
      const more = ['--build-arg', `BASE=${base('bookworm')}`, ...networkArgs()]
      const what = ['--target', target, '-f', 'Containerfile', '.']
      return build(`gatehouse-${target}`, [...more, ...what], log, checkout)
    },
    /** Builds a stand-in for a third-party image from `file`, copying from `context`. */
    buildStandIn: (
      { tag, file, context }: { tag: string; file: string; context: string },
      log: string,
    ) => {
      const more = ['--build-arg', `BASE=${base('trixie')}`]
      return build(tag, [...more, '-f', join(CHECKOUT, 'ops/drills', file), context], log)
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
    idOf: (image: string): string =>
      JSON.parse(run('inspect', '--type', 'image', image)).FromImageID,
    /** Human-readable size, such as 300 MB. */
    sizeOf: (image: string): string => JSON.parse(run('images', '--json', image))[0].size,
  }
}

export type Buildah = ReturnType<typeof startBuildah>

function makeBase(run: (...args: string[]) => string, release: Release) {
  const container = run('from', 'scratch')
  run('add', '--quiet', container, debianTar(release), '/')
  run('commit', '--quiet', container, BASES[release])
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
