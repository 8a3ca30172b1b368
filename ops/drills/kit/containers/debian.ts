import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from '../../../../tools/stack/debian.ts'

/** The release we ship on, and the next one for newer tools. */
export type Release = 'bookworm' | 'trixie'

/** Cache folder of the drills. */
export function shipDirectory() {
  const directory = new URL('../../../../.tools/ship', import.meta.url).pathname
  mkdirSync(directory, { recursive: true })
  return realpathSync(directory)
}

export function debianTar(release: Release = 'bookworm') {
  const ship = shipDirectory()
  const tar = join(ship, `${release}.tar`)
  if (existsSync(tar)) return tar
  installMissing({ debootstrap: '/usr/sbin/debootstrap' })
  const root = join(ship, `${release}-new`)
  rmSync(root, { recursive: true, force: true })
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates', release, root],
    options,
  )
  execFileSync('tar', ['-C', root, '-cf', `${tar}.new`, '.'], options)
  renameSync(`${tar}.new`, tar)
  rmSync(root, { recursive: true })
  return tar
}

/** This machine's npm settings, for environments that can't read its configuration. */
export const npmNetwork = () => ({
  registry: execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim(),
  certificates: process.env['NODE_EXTRA_CA_CERTS'] ?? null,
})
