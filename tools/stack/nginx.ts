import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { modelPaths, readingPaths } from '../build/model-paths.ts'
import { CHECKOUT, OWNER_PATH, type Settings } from './settings.ts'
import { pagesFolder, WEB_ROOT } from './web.ts'

const TEMPLATES = join(CHECKOUT, 'ops/nginx')
/** Debian's Brotli module; without it the gzip files are served. */
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

export const PRODUCTION_LIMITS: Record<string, string> = Object.fromEntries(
  readFileSync(join(TEMPLATES, 'limits.env'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('=')),
)

/** On a stack all visitors and test browsers share one address. */
const RAISED_LIMITS = {
  ...PRODUCTION_LIMITS,
  API_REQUESTS_PER_SECOND: '5000',
  API_ANONYMOUS_PER_SECOND: '5000',
}

export function nginxProgram(
  settings: Settings,
  { directory = join(settings.state, 'nginx'), over = {} }: Different = {},
) {
  const values = {
    ...shared(directory),
    ...fileVariables(directory, { FILES_DIR: settings.files }),
    LISTEN: `127.0.0.1:${settings.ports.site}`,
    API_SERVERS: `server 127.0.0.1:${settings.ports.api};`,
    SITE_SCHEME: '$scheme',
    IDENTITY_PROVIDER: settings.identityProvider,
    ACCOUNT_PAGE: `${settings.issuer}/account/`,
    BROTLI: existsSync(BROTLI) ? 'brotli_static on;' : '',
    WEB_ROOT,
    PAGES_ROOT: pagesFolder(settings.pages),
    CONFIG_ROOT: directory,
    MODEL_PATHS: modelPaths(),
    READING_PATHS: readingPaths(),
    ...over,
  }
  writeNginxFiles({ names: [...AROUND, ...SITE_FILES], directory, values })
  writeFileSync(join(directory, 'config.json'), JSON.stringify(webConfig(settings)))
  return programIn(directory)
}

/** A second nginx, for Keycloak: the site's nginx waits for a build and doesn't run in development. */
export function identityProgram(
  settings: Settings,
  { directory = join(settings.state, 'identity'), over = {} }: Different = {},
) {
  const values = {
    ...shared(directory),
    ...identityLimits(),
    LISTEN: `127.0.0.1:${settings.ports.keycloak}`,
    IDENTITY_HOST: '_',
    IDENTITY_ADDRESS: new URL(settings.identityAdmin).host,
    IDENTITY_SCHEME: 'http',
    IDENTITY_PORT: String(settings.ports.keycloak),
    ...over,
  }
  writeNginxFiles({ names: [...AROUND, 'identity.conf'], directory, values })
  return programIn(directory)
}

/** Production's limits unless set in the environment: browser tests sign in more often than users. */
const identityLimits = () =>
  Object.fromEntries(
    Object.keys(PRODUCTION_LIMITS).map((name) => [
      name,
      process.env[name] ?? PRODUCTION_LIMITS[name] ?? '',
    ]),
  )

const AROUND = ['nginx.conf', 'clients.conf', 'limits.conf']
export const SITE_FILES = ['gatehouse.conf', 'file-headers.conf', 'files-bucket.conf']

function shared(directory: string) {
  mkdirSync(directory, { recursive: true })
  return {
    // Workers run as the current user, who can read a checkout in a home folder.
    USER: process.getuid?.() === 0 ? `user ${userInfo().username};` : '',
    MODULES: existsSync(BROTLI) ? `load_module ${BROTLI};` : '',
    TLS: '',
    // The stack serves http.
    HSTS: '',
    LIMITS: `include ${join(directory, 'limits.conf')};`,
    PROXIES_IN_FRONT: '',
    ...RAISED_LIMITS,
  }
}

/** Variables of uploaded files, as ops/nginx/functions.sh sets them from settings such as FILES_DIR. */
export function fileVariables(directory: string, settings: Record<string, string>) {
  const program = '. "$1"; export_file_variables "$2" ""; env -0'
  const text = execFileSync(
    'sh',
    ['-euc', program, 'sh', join(TEMPLATES, 'functions.sh'), directory],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], ...settings } },
  )
  return Object.fromEntries(
    text.split('\0').flatMap((line) => {
      const [name = '', ...value] = line.split('=')
      return /^(FILE|RESOLVER|AUTHORITIES)/.test(name) ? [[name, value.join('=')]] : []
    }),
  ) as Record<string, string>
}

const programIn = (directory: string) => ({
  command: '/usr/sbin/nginx',
  args: ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')],
})

type Different = { directory?: string; over?: Record<string, string> }

type Files = {
  names: string[]
  directory: string
  values: Record<string, string>
  /** Edits each file after its variables are filled in. */
  change?: (text: string) => string
}

export function writeNginxFiles({ names, directory, values, change = (text) => text }: Files) {
  for (const name of names) {
    const template = readFileSync(join(TEMPLATES, name), 'utf8')
    writeFileSync(join(directory, name), change(fillIn(template, values)))
  }
}

/** Run-time configuration of the site: one build fits every deployment. */
const webConfig = ({ issuer, returnUrl, adminMfa }: Settings) => ({
  authority: issuer,
  clientId: 'gatehouse-web',
  returnUrl,
  adminMfa,
  ownerPath: OWNER_PATH,
  productPages: true,
})

/** Only names in capitals are ours; nginx's own variables are lower case. */
function fillIn(template: string, values: Record<string, string>) {
  return template.replaceAll(/\$\{([A-Z_]+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The nginx template variable ${name} has no value`)
    return value
  })
}
