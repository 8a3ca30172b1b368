import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installKeycloak, isKeycloakInstalled, KEYCLOAK_VERSION } from './keycloak.ts'

/** Installs what the machine lacks. Safe to repeat: what is there is left alone. */
const NEEDED = [
  { name: 'postgresql', isThere: hasPostgres },
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  // Files compressed at build time, once and well, instead of with every request.
  {
    name: 'libnginx-mod-http-brotli-static',
    isThere: () => existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'),
  },
  // Reads the privacy notice's PDF back in a test.
  { name: 'poppler-utils', isThere: () => existsSync('/usr/bin/pdftotext') },
  { name: 'chromium', isThere: () => existsSync('/usr/bin/chromium') },
  {
    name: 'chromium-headless-shell',
    isThere: () => existsSync('/usr/bin/chromium-headless-shell'),
  },
  { name: 'default-jre-headless', isThere: hasJava },
  // Brings Keycloak, and is not asked for again once it is there.
  { name: 'maven', isThere: () => isKeycloakInstalled() || existsSync('/usr/bin/mvn') },
]
/** Debian starts a server as soon as it is installed, unless this file says no. */
const POLICY = '/usr/sbin/policy-rc.d'
const JAVA_MIN = 17

const started = Date.now()
const missing = NEEDED.filter(({ isThere }) => !isThere()).map(({ name }) => name)
if (missing.length > 0) install(missing)
if (!isKeycloakInstalled()) {
  console.log(`Installing Keycloak ${KEYCLOAK_VERSION} (160 MB, once) …`)
  installKeycloak()
}
console.log(`Everything is installed (${((Date.now() - started) / 1000).toFixed(1)} s).`)

function install(packages: string[]) {
  console.log(`Installing ${packages.join(', ')} …`)
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

function hasPostgres() {
  const root = '/usr/lib/postgresql'
  return (
    existsSync(root) &&
    readdirSync(root).some((version) => existsSync(`${root}/${version}/bin/postgres`))
  )
}

function hasJava() {
  // As Keycloak looks for it.
  const home = process.env['JAVA_HOME']
  const java = home ? join(home, 'bin/java') : 'java'
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= JAVA_MIN
}
