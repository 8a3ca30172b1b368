import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { modelPaths } from '../site/model-paths.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { WEB_ROOT } from './web.ts'

const TEMPLATES = join(CHECKOUT, 'ops/nginx')
/** Debian's module; without it the files compressed with gzip are sent. */
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** What one address may take of a site in production. */
export const PRODUCTION_LIMITS: Record<string, string> = Object.fromEntries(
  readFileSync(join(TEMPLATES, 'limits.env'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('=')),
)

/** Everybody who tries a stack, and every browser of its tests, comes from the same address. */
const RAISED_LIMITS = { ...PRODUCTION_LIMITS, API_REQUESTS_PER_SECOND: '5000' }

/** nginx, with the files of ops/nginx filled in for this stack; a drill may want some of it different. */
export function nginxProgram(
  settings: Settings,
  { directory = join(settings.state, 'nginx'), over = {} }: Different = {},
) {
  mkdirSync(directory, { recursive: true })
  const values = {
    // The checkout may lie in someone's home, so the workers are that person too.
    USER: process.getuid?.() === 0 ? `user ${userInfo().username};` : '',
    LISTEN: `127.0.0.1:${settings.ports.site}`,
    TLS: '',
    LIMITS: `include ${join(directory, 'limits.conf')};`,
    PROXIES_IN_FRONT: '',
    ...RAISED_LIMITS,
    API_SERVERS: `server 127.0.0.1:${settings.ports.api};`,
    IDENTITY_PROVIDER: settings.identityProvider,
    ACCOUNT_PAGE: `${settings.issuer}/account/`,
    MODULES: existsSync(BROTLI) ? `load_module ${BROTLI};` : '',
    BROTLI: existsSync(BROTLI) ? 'brotli_static on;' : '',
    WEB_ROOT,
    PAGES_ROOT: settings.pages,
    CONFIG_ROOT: directory,
    MODEL_PATHS: modelPaths(),
    ...over,
  }
  writeNginxFiles({ names: ['nginx.conf', 'gatehouse.conf', 'limits.conf'], directory, values })
  writeFileSync(join(directory, 'config.json'), JSON.stringify(webConfig(settings)))
  return {
    command: '/usr/sbin/nginx',
    args: ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')],
  }
}

type Different = { directory?: string; over?: Record<string, string> }

type Files = {
  names: string[]
  directory: string
  values: Record<string, string>
  /** To see what another file would do. */
  change?: (text: string) => string
}

/** Files of ops/nginx, filled in. */
export function writeNginxFiles({ names, directory, values, change = (text) => text }: Files) {
  for (const name of names) {
    const template = readFileSync(join(TEMPLATES, name), 'utf8')
    writeFileSync(join(directory, name), change(fillIn(template, values)))
  }
}

/** What the site learns at run time: one build fits every deployment. */
const webConfig = ({ issuer }: Settings) => ({ authority: issuer, clientId: 'gatehouse-web' })

/** Names in capitals are ours; nginx writes its own variables small. */
function fillIn(template: string, values: Record<string, string>) {
  return template.replaceAll(/\$\{([A-Z_]+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`Nothing to fill in for ${name}`)
    return value
  })
}
