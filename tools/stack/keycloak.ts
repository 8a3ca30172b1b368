import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { addDemoAccounts } from './demo-accounts.ts'
import { ROLES } from './postgres.ts'
import { runLogged } from './process.ts'
import { CHECKOUT, type Settings } from './settings.ts'

const RELEASE = readFileSync(join(CHECKOUT, 'ops/keycloak/release.env'), 'utf8')
const released = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(RELEASE)?.[1] ?? ''

export const KEYCLOAK_VERSION = released('KEYCLOAK_VERSION')
/** Checksums by version; the older one is for the upgrade drill. */
const SHA256: Record<string, string> = {
  '26.5.6': 'fa3dd5df90b9ac006712c2f0991be4e8a6cb30ac538e0439ce2f45fc40f4c692',
  [KEYCLOAK_VERSION]: released('KEYCLOAK_SHA256'),
}
const TOOLS = join(CHECKOUT, '.tools')
export const homeOf = (version = KEYCLOAK_VERSION) => join(TOOLS, `keycloak-${version}`)
const WRITE_THEME = join(CHECKOUT, 'web/keycloak/write-theme.ts')
const DENY_LISTS = join(CHECKOUT, 'ops/keycloak/password-blacklists')

export const isKeycloakInstalled = (version?: string) => existsSync(homeOf(version))

export function installKeycloak(version = KEYCLOAK_VERSION) {
  mkdirSync(TOOLS, { recursive: true })
  // Moved into place when complete, so that an interrupted download doesn't look installed.
  const directory = mkdtempSync(join(TOOLS, 'download-'))
  try {
    const archive = fetchKeycloak(directory, version)
    execFileSync('tar', ['-C', directory, '-xzf', archive], { stdio: 'inherit' })
    const unpacked = join(directory, `keycloak-${version}`)
    // Built once here, so that starts skip it. Its advice is hidden.
    execFileSync(join(unpacked, 'bin/kc.sh'), ['build', '--db=postgres'], { stdio: 'pipe' })
    renameSync(unpacked, homeOf(version))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The archive, from Maven's configured repository; the checksum pins it. */
export function fetchKeycloak(directory: string, version = KEYCLOAK_VERSION) {
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`
  execFileSync(
    'mvn',
    ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`],
    { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const archive = join(directory, `keycloak-quarkus-dist-${version}.tar.gz`)
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  if (sum !== SHA256[version])
    throw new Error(`Keycloak ${version} not installed: unexpected SHA-256 ${sum}`)
  return archive
}

export function keycloakProgram(settings: Settings, version?: string) {
  if (!isKeycloakInstalled(version)) throw new Error('Keycloak is not installed: npm run setup')
  const themes = join(settings.state, 'themes')
  // Written at every start: the name and the brand may have changed.
  execFileSync(process.execPath, [WRITE_THEME, themes], { stdio: ['ignore', 'ignore', 'inherit'] })
  return {
    command: join(homeOf(version), 'bin/kc.sh'),
    args: [
      'start',
      '--optimized',
      '--cache=local',
      '--http-enabled=true',
      '--http-host=127.0.0.1',
      `--http-port=${settings.ports.keycloakInner}`,
      `--hostname=${settings.identityProvider}`,
      '--proxy-headers=xforwarded',
      ...databaseOf(settings),
      `--spi-theme--folder--dir=${themes}`,
      ...PROVIDERS,
    ],
    env: {
      KC_BOOTSTRAP_ADMIN_CLIENT_ID: 'realm-apply',
      KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: DEMO_SECRETS.realm,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      // C1 compiler only: halves the CPU of a start.
      JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      // Variables of the theme.
      SITE_URL: settings.site,
    },
  }
}

const databaseOf = ({ ports }: Settings) => [
  // Keeps row values out of Keycloak's log.
  `--db-url=jdbc:postgresql://127.0.0.1:${ports.postgres}/keycloak?logServerErrorDetail=false`,
  '--db-username=keycloak',
]

/** Must match compose.yaml. */
const PROVIDERS = [
  `--spi-password-policy--password-blacklist--blacklists-path=${DENY_LISTS}/`,
  // Otherwise a concurrent wrong guess would reject the owner's sign-in.
  '--spi-brute-force-protector--default-brute-force-detector--allow-concurrent-requests=true',
  // Sends one mail per changed credential instead of two.
  '--spi-events-listener--email--include-events=UPDATE_CREDENTIAL,REMOVE_CREDENTIAL',
]

export const realmEnv = (settings: Settings) => ({
  REALM_DEMO: 'on',
  REALM_SECRET: DEMO_SECRETS.realm,
  IDENTITY_SERVICE_SECRET: DEMO_SECRETS.service,
  IDENTITY_ADMIN_URL: settings.identityAdmin,
  SITE_URL: settings.site,
  SMTP_URL: `smtp://127.0.0.1:${settings.ports.smtp}`,
  SIGN_IN_RETURN_URL: settings.returnUrl,
  ADMIN_MFA: settings.adminMfa,
})

/** Runs at every start, as in an installation. */
export async function applyRealm(settings: Settings) {
  const env = realmEnv(settings)
  const program = join(CHECKOUT, 'tools/realm/realm.ts')
  const apply = () =>
    runLogged({ name: 'realm', state: settings.state }, process.execPath, [program], env)
  // A database of an earlier release lacks the account realm-apply.
  await apply().catch(async (error: unknown) => {
    if (!String(error).includes('rejected realm-apply')) throw error
    await createApplier(settings)
    await apply()
  })
  await addDemoAccounts({ ...process.env, ...env })
}

/** Creates realm-apply in an existing Keycloak database, whose tables must have this version. */
export const createApplier = (settings: Settings) =>
  runLogged(
    { name: 'bootstrap-admin', state: settings.state },
    join(homeOf(), 'bin/kc.sh'),
    [
      'bootstrap-admin',
      'service',
      '--optimized',
      '--client-id=realm-apply',
      '--client-secret:env=REALM_SECRET',
      ...databaseOf(settings),
      ...PROVIDERS,
    ],
    { REALM_SECRET: DEMO_SECRETS.realm },
  )

export async function createKeycloakDatabase(settings: Settings) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('postgres', 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query(`select 1 from pg_database where datname = 'keycloak'`)
    if (rows.length > 0) return
    await client.query(`drop role if exists keycloak`)
    await client.query(`create role keycloak login`)
    // Run again for its settings of Keycloak's role.
    await client.query(readFileSync(ROLES, 'utf8'))
    await client.query(`create database keycloak owner keycloak template template0`)
    await client.query(`revoke connect on database keycloak from public`)
  } finally {
    await client.end()
  }
}
