import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from '../../../../tools/stack/debian.ts'

/** The one we ship on, and the next, for what is too new for it. */
export type Release = 'bookworm' | 'trixie'

/** Where drills keep what takes long to make and is the same next time. */
export function shipDirectory() {
  const directory = new URL('../../../../.tools/ship', import.meta.url).pathname
  mkdirSync(directory, { recursive: true })
  return realpathSync(directory)
}

/** A fresh Debian as a tar file, made once. */
export function debianTar(release: Release = 'bookworm') {
  const ship = shipDirectory()
  const tar = join(ship, `${release}.tar`)
  if (existsSync(tar)) return tar
  installMissing({ debootstrap: '/usr/sbin/debootstrap' })
  const root = join(ship, `${release}-new`)
  rmSync(root, { recursive: true, force: true })
  const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates', release, root],
    quiet,
  )
  execFileSync('tar', ['-C', root, '-cf', `${tar}.new`, '.'], quiet)
  renameSync(`${tar}.new`, tar)
  rmSync(root, { recursive: true })
  return tar
}

/** What this machine's network asks of npm, for where its configuration is not seen. */
export const npmNetwork = () => ({
  registry: execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim(),
  certificates: process.env['NODE_EXTRA_CA_CERTS'] ?? null,
})
