import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installMissing } from '../../../../tools/stack/debian.ts'
import { debianTar, shipDirectory, type Release } from '../../../../tools/release/debian-base.ts'

const BOOT_TIMEOUT_MS = 60_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export type Machine = Awaited<ReturnType<typeof bootMachine>>

type System = { system?: Release; names: string }

/** Folder of this process: another drill may run a machine too. Those of drills that were killed are removed. */
export function machineRoot() {
  const ship = shipDirectory()
  for (const name of readdirSync(ship)) {
    const pid = /^machine\.(\d+)$/.exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(ship, name), { recursive: true })
  }
  return join(ship, `machine.${process.pid}`)
}

/** `names`: a line for its file of hosts. */
export function unpackSystem(root: string, { system = 'bookworm', names }: System) {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  execFileSync('tar', ['-C', root, '-xf', debianTar(system)])
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  appendFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${names}\n`)
  // Skips fsync: the machine is discarded after the drill.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/drill'), 'force-unsafe-io\n')
  const install = `mount -t proc proc "$1/proc"
    mount --bind "$2" "$1/var/cache/apt/archives"
    chroot "$1" apt-get -qq update
    DEBIAN_FRONTEND=noninteractive chroot "$1" apt-get -qq -y install --no-install-recommends systemd-sysv dbus`
  // In a mount namespace, so that its mounts end with it.
  execFileSync('unshare', ['--mount', 'sh', '-ec', install, 'sh', root, packageCache(system)], {
    stdio: 'ignore',
    env: { PATH },
  })
}

/** Boots it on the host's network; stopping it ends everything inside. */
export async function bootMachine(root: string, system: Release = 'bookworm') {
  installMissing({ 'systemd-container': '/usr/bin/systemd-nspawn' })
  const log = openSync(join(shipDirectory(), 'machine.log'), 'w')
  // Ends with the drill, even if that is killed.
  const nspawn = spawn(
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      'systemd-nspawn',
      '--quiet',
      '--boot',
      '--register=no',
      // Without systemd on the host there is no scope to register.
      ...(existsSync('/run/systemd/system') ? [] : ['--keep-unit']),
      `--machine=gatehouse-drill-${process.pid}`,
      '--resolv-conf=off',
      '--timezone=off',
      '--link-journal=no',
      `--bind=${packageCache(system)}:/var/cache/apt/archives`,
      `--directory=${root}`,
    ],
    { stdio: ['ignore', log, log], env: { PATH } },
  )
  const ended = once(nspawn, 'exit')
  // Killing its init ends all processes; no orderly shutdown needed.
  const stop = async () => {
    const first = childOf(nspawn.pid)
    if (first) process.kill(Number(first), 'SIGKILL')
    await ended
  }
  const first = await firstProcess(nspawn.pid).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const enter = (command: string, env: Record<string, string>) => {
    const variables = Object.entries({ PATH, LANG: 'C.UTF-8', ...env })
    const environment = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`)]
    return run(first, [...environment, 'bash', '-c', command])
  }
  return {
    stop,
    /** Output of a command inside, even if it fails. */
    ask: (command: string) => enter(command, {}),
    run: async (command: string, env: Record<string, string>) => {
      const started = Date.now()
      const { code, text } = await enter(command, env)
      return { code, text, seconds: Math.round((Date.now() - started) / 1000) }
    },
  }
}

async function run(first: string, command: string[]) {
  const places = ['--target', first, '--mount', '--uts', '--ipc', '--pid']
  const inside = spawn('nsenter', [...places, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [inside.stdout, inside.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const [code] = (await once(inside, 'close')) as [number | null]
  return { code, text: text.trim() }
}

async function firstProcess(nspawn: number | undefined) {
  const deadline = Date.now() + BOOT_TIMEOUT_MS
  for (;;) {
    const first = childOf(nspawn)
    if (first) {
      const { text } = await run(first, ['systemctl', 'is-system-running'])
      if (/running|degraded/.test(text)) return first
    }
    if (Date.now() > deadline)
      throw new Error(
        `systemd did not boot within a minute: see ${join(shipDirectory(), 'machine.log')}`,
      )
    await setTimeout(500)
  }
}

function childOf(parent: number | undefined) {
  const file = `/proc/${parent}/task/${parent}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ')[0] : undefined
}

function packageCache(system: Release) {
  const directory = join(shipDirectory(), 'packages', system)
  mkdirSync(directory, { recursive: true })
  return directory
}
