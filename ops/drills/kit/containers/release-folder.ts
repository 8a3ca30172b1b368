import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { copyWorkspace, runIn } from '../../../../tools/build/workspace.ts'
import { reserveMachine } from '../machine-lock.ts'
import { addField, NEXT_VERSION, setVersion } from '../next-release.ts'
import { openDeployment } from './deployment.ts'
import type { Docker } from './docker.ts'

const CHECKOUT = new URL('../../../..', import.meta.url).pathname

export type ReleaseFolder = { folder: string; programs: string }

/** `--built`: as it lies in .build/release, for whoever works on a drill. */
export function buildRelease(): ReleaseFolder {
  const folder = join(CHECKOUT, '.build/release')
  if (!process.argv.includes('--built'))
    execFileSync('npm', ['run', '--silent', 'release', '--', 'build', '--to', folder], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  const name = readdirSync(folder).find((file) => /^gatehouse-[\d.]+\.tar\.gz$/.test(file)) ?? ''
  return { folder, programs: join(folder, name) }
}

/** The files of a later release, with a new ticket field and its migration. */
export function buildNextRelease() {
  const folder = join(CHECKOUT, '.build/next-release')
  if (process.argv.includes('--built') && existsSync(join(folder, 'SHA256SUMS'))) return folder
  const copy = copyWorkspace()
  try {
    addField(copy)
    setVersion(copy, NEXT_VERSION)
    runIn(copy, 'notice:write')
    symlinkSync(realpathSync(join(CHECKOUT, '.tools')), join(copy, '.tools'))
    execFileSync('npm', ['run', '--silent', 'release', '--', 'build', '--to', folder], {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return folder
}

/** An address of this machine for the time of a drill, which alone uses its ports. */
export async function addAddress(address: string) {
  const machine = await reserveMachine()
  const ip = (...args: string[]) =>
    execFileSync('ip', ['address', ...args, `${address}/32`, 'dev', 'lo'])
  try {
    ip('add')
  } catch {
    // A drill that was killed has left it.
  }
  return {
    remove: () => {
      ip('delete')
      machine.release()
    },
  }
}

type Unpacked = {
  docker: Docker
  directory: string
  release: ReleaseFolder
  name: string
  /** Its own authority. Without one the folder is as the archive has it. */
  certificate?: { file: string; key: string }
}

/** An installation's folder. */
export function unpack({ docker, directory, release, name, certificate }: Unpacked) {
  const folder = join(directory, name)
  mkdirSync(folder)
  execFileSync('tar', ['-C', folder, '--strip-components=1', '-xzf', release.programs])
  if (certificate) {
    copyFileSync(certificate.file, join(folder, 'tls/certificate.pem'))
    copyFileSync(certificate.file, join(folder, 'tls/authority.pem'))
    copyFileSync(certificate.key, join(folder, 'tls/key.pem'))
    chmodSync(join(folder, 'tls/key.pem'), 0o444)
  }
  return openDeployment({ docker, folder })
}
