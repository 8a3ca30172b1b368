import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch as processArch } from 'node:process'
import { join } from 'node:path'
import { installMissing } from '../stack/debian.ts'

/** The release that the server installs on, and that of the images. */
export type Release = 'bookworm' | 'trixie'

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
  const root = join(ship, `${name}-new`)
  rmSync(root, { recursive: true, force: true })
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }
  const what = ['--variant=minbase', '--include=ca-certificates', `--arch=${arch}`]
  execFileSync('debootstrap', [...what, release, root], options)
  execFileSync('tar', ['-C', root, '-cf', `${tar}.new`, '.'], options)
  renameSync(`${tar}.new`, tar)
  rmSync(root, { recursive: true })
  return tar
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
