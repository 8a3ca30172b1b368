import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './debian.ts'
import { installKeycloak, isKeycloakInstalled, KEYCLOAK_VERSION } from './keycloak.ts'

const NEEDED = [
  { name: 'postgresql', isThere: hasPostgres },
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  // Serves files compressed at build time.
  {
    name: 'libnginx-mod-http-brotli-static',
    isThere: () => existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'),
  },
  // A test reads the privacy notice's PDF.
  { name: 'poppler-utils', isThere: () => existsSync('/usr/bin/pdftotext') },
  { name: 'chromium', isThere: () => existsSync('/usr/bin/chromium') },
  {
    name: 'chromium-headless-shell',
    isThere: () => existsSync('/usr/bin/chromium-headless-shell'),
  },
  { name: 'default-jre-headless', isThere: hasJava },
  // Downloads Keycloak; not needed once it is installed.
  { name: 'maven', isThere: () => isKeycloakInstalled() || existsSync('/usr/bin/mvn') },
]
const JAVA_MIN = 17

const started = Date.now()
const missing = NEEDED.filter(({ isThere }) => !isThere()).map(({ name }) => name)
if (missing.length > 0) installPackages(missing)
if (!isKeycloakInstalled()) {
  console.log(`Installing Keycloak ${KEYCLOAK_VERSION} (160 MB, once)…`)
  installKeycloak()
}
console.log(`Everything is installed (${((Date.now() - started) / 1000).toFixed(1)} s).`)

function hasPostgres() {
  const root = '/usr/lib/postgresql'
  return (
    existsSync(root) &&
    readdirSync(root).some((version) => existsSync(`${root}/${version}/bin/postgres`))
  )
}

function hasJava() {
  // Keycloak finds Java by it.
  const home = process.env['JAVA_HOME']
  const java = home ? join(home, 'bin/java') : 'java'
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= JAVA_MIN
}
