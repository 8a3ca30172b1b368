import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch as processArch } from 'node:process'
import { join } from 'node:path'
import { installMissing } from '../stack/debian.ts'

/** Systems of a server; the images are of trixie. */
export type Release = 'bookworm' | 'trixie' | 'noble'

/** Where another system than Debian has its packages. */
const UBUNTU = {
  mirror: 'http://archive.ubuntu.com/ubuntu',
  components: 'main,universe',
}

/** Processors as Debian and Docker name them. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]
export const OWN_ARCHITECTURE: Architecture = processArch === 'arm64' ? 'arm64' : 'amd64'

/** Cache folder of images and machines. */
export function shipDirectory() {
  const directory = new URL('../../.tools/ship', import.meta.url).pathname
  mkdirSync(directory, { recursive: true })
  return realpathSync(directory)
}

/** A minimal Debian, made by debootstrap: no registry is needed. */
export function debianTar(release: Release = 'bookworm', arch = OWN_ARCHITECTURE) {
  const ship = shipDirectory()
  const name = arch === OWN_ARCHITECTURE ? release : `${release}-${arch}`
  const tar = join(ship, `${name}.tar`)
  if (existsSync(tar)) return tar
  installMissing({ debootstrap: '/usr/sbin/debootstrap' })
  if (arch !== OWN_ARCHITECTURE) emulate(arch)
  // Of this process: another one may make it too.
  const root = join(ship, `${name}.${process.pid}`)
  rmSync(root, { recursive: true, force: true })
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }
  const what = ['--variant=minbase', '--include=ca-certificates', `--arch=${arch}`]
  if (release === 'noble') bootstrapUbuntu(root, { what, options })
  else execFileSync('debootstrap', [...what, release, root], options)
  // What apt has fetched would be in every archive of images.
  const caches = ['var/cache/apt', 'var/lib/apt/lists'].map((folder) => join(root, folder))
  execFileSync('find', [...caches, '-type', 'f', '-delete'], options)
  execFileSync('tar', ['-C', root, '-cf', `${root}.tar`, '.'], options)
  renameSync(`${root}.tar`, tar)
  rmSync(root, { recursive: true })
  return tar
}

function bootstrapUbuntu(
  root: string,
  { what, options }: { what: string[]; options: ExecFileSyncOptions },
) {
  const { mirror, components } = UBUNTU
  // Debian has no keys of Ubuntu. The machine of a drill is thrown away, and its own apt has them.
  const from = [`--components=${components}`, '--no-check-gpg']
  // Debian 12's debootstrap doesn't know the name; all of Ubuntu's releases are made by one script.
  const script = '/usr/share/debootstrap/scripts/gutsy'
  execFileSync('debootstrap', [...what, ...from, 'noble', root, mirror, script], options)
  const all = components.replace(',', ' ')
  const sources = ['noble', 'noble-updates'].map((suite) => `deb ${mirror} ${suite} ${all}\n`)
  writeFileSync(join(root, 'etc/apt/sources.list'), sources.join(''))
}

const BINFMT = '/proc/sys/fs/binfmt_misc'
/** The first bytes of a 64-bit program for Arm, and which of them count. */
const ARM64_MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`
const ARM64_MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`

/** Makes this kernel run programs of another processor through qemu, in other roots too (flag F). */
export function emulate(arch: Architecture) {
  if (arch !== 'arm64') throw new Error(`Images for ${arch} are built on ${arch} only`)
  installMissing({ 'qemu-user-static': '/usr/bin/qemu-aarch64-static' })
  if (!existsSync(join(BINFMT, 'register')))
    execFileSync('mount', ['-t', 'binfmt_misc', 'binfmt_misc', BINFMT])
  if (existsSync(join(BINFMT, 'qemu-aarch64'))) return
  const rule = `:qemu-aarch64:M::${ARM64_MAGIC}:${ARM64_MASK}:/usr/bin/qemu-aarch64-static:OCF`
  writeFileSync(join(BINFMT, 'register'), rule)
}

/** This machine's npm settings, for environments that can't read its configuration. */
export const npmNetwork = () => ({
  registry: execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim(),
  certificates: process.env['NODE_EXTRA_CA_CERTS'] ?? null,
})
