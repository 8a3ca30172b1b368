import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PEERS = new URL('../../.tools/peers/', import.meta.url).pathname

export const VERSIONS = { directus: '12.4.1', pocketbase: '0.40.4' }
export const HOMES = { directus: join(PEERS, 'directus'), pocketbase: join(PEERS, 'pocketbase') }
export const PROGRAMS = {
  directus: join(HOMES.directus, 'node_modules/directus/cli.js'),
  pocketbase: join(HOMES.pocketbase, 'base'),
}

/** Newest published app: Directus depends on a version that was never published. */
const PACKAGE = {
  private: true,
  dependencies: { directus: VERSIONS.directus },
  overrides: { '@directus/app': '18.0.0' },
}
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']

/** Installs from npm, and from Go modules, which include their own compiler. */
export function installPeers() {
  if (!existsSync(PROGRAMS.directus)) {
    mkdirSync(HOMES.directus, { recursive: true })
    writeFileSync(join(HOMES.directus, 'package.json'), JSON.stringify(PACKAGE))
    execFileSync('npm', ['install', ...QUIET], { cwd: HOMES.directus, stdio: 'inherit' })
  }
  // Stubbed: runs scripts of flows, which are not measured, and would have to be compiled.
  writeFileSync(
    join(HOMES.directus, 'node_modules/isolated-vm/isolated-vm.js'),
    'module.exports = {}\n',
  )
  if (existsSync(PROGRAMS.pocketbase)) return
  mkdirSync(HOMES.pocketbase, { recursive: true })
  execFileSync(
    'go',
    ['install', `github.com/pocketbase/pocketbase/examples/base@v${VERSIONS.pocketbase}`],
    {
      env: { ...process.env, GOTOOLCHAIN: 'auto', GOBIN: HOMES.pocketbase, CGO_ENABLED: '0' },
      stdio: 'inherit',
    },
  )
}

export const arePeersInstalled = () => Object.values(PROGRAMS).every((file) => existsSync(file))
