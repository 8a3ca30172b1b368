import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs what the machine lacks. Safe to repeat: what is there is left alone. */
const NEEDED = [{ name: 'postgresql', isThere: () => existsSync('/usr/lib/postgresql') }]

const missing = NEEDED.filter(({ isThere }) => !isThere()).map(({ name }) => name)
if (missing.length === 0) console.log('Everything is installed.')
else install(missing)

function install(packages: string[]) {
  console.log(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    execFileSync(...asRoot('apt-get', ['-qq', '-y', ...args]), { stdio: 'inherit', env })
  apt('update')
  apt('install', '--no-install-recommends', ...packages)
}

function asRoot(command: string, args: string[]): [string, string[]] {
  return process.getuid?.() === 0 ? [command, args] : ['sudo', [command, ...args]]
}
