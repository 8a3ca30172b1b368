import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Debian starts a service on installation unless this file forbids it. */
const POLICY = '/usr/sbin/policy-rc.d'

/** Keys are package names; each value is a file that the package installs. */
export function installMissing(programs: Record<string, string>) {
  const missing = Object.entries(programs)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name)
  if (missing.length > 0) installPackages(missing)
}

export function installPackages(packages: string[]) {
  console.log(`Installing ${packages.join(', ')}…`)
  const apt = (...args: string[]) => asRoot('apt-get', ['-qq', '-y', ...args])
  const isOurs = isRoot() && !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    apt('update')
    apt('install', '--no-install-recommends', ...packages)
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

function asRoot(command: string, args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  if (isRoot()) execFileSync(command, args, { stdio: 'inherit', env })
  else
    execFileSync('sudo', ['--preserve-env=DEBIAN_FRONTEND', command, ...args], {
      stdio: 'inherit',
      env,
    })
}

function isRoot() {
  return process.getuid?.() === 0
}
