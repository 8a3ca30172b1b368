import { fileURLToPath } from 'node:url'
import { SITE_FOLDER } from '../../api/src/platform/root.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ROLES } from './postgres.ts'
import { CHECKOUT, type Settings } from './settings.ts'

export const KEYCLOAK_VERSION = '26.5.6'
const SHA256 = 'fa3dd5df90b9ac006712c2f0991be4e8a6cb30ac538e0439ce2f45fc40f4c692'
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:tar.gz`
const TOOLS = join(CHECKOUT, '.tools')
const HOME = join(TOOLS, `keycloak-${KEYCLOAK_VERSION}`)
const REALM_FILE = join(CHECKOUT, 'ops/keycloak/gatehouse-realm.json')

/** Keycloak's own admin. Fixed, because it listens on loopback only. */
const ADMIN = { name: 'admin', password: 'admin' }

export const isKeycloakInstalled = () => existsSync(HOME)

/** From Maven's configured repository; the checksum pins it. */
export function installKeycloak() {
  mkdirSync(TOOLS, { recursive: true })
  // Moved into place when complete, so that an interrupted download doesn't look installed.
  const place = mkdtempSync(join(TOOLS, 'download-'))
  try {
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: place, stdio: ['ignore', 'inherit', 'inherit'] })
    run(
      'mvn',
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${ARTIFACT}`,
      `-DoutputDirectory=${place}`,
    )
    const archive = join(place, `keycloak-quarkus-dist-${KEYCLOAK_VERSION}.tar.gz`)
    const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
    if (sum !== SHA256) throw new Error(`Keycloak is not what it should be: its SHA-256 is ${sum}`)
    run('tar', '-xzf', archive)
    const unpacked = join(place, `keycloak-${KEYCLOAK_VERSION}`)
    // Built once here, so that starts skip it. Its advice is not for our users.
    execFileSync(join(unpacked, 'bin/kc.sh'), ['build', '--db=postgres'], { stdio: 'pipe' })
    renameSync(unpacked, HOME)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Starts this stack's Keycloak. The realm is imported only into a new database. */
export function keycloakProgram(settings: Settings) {
  if (!isKeycloakInstalled()) throw new Error('Keycloak is not installed: npm run setup')
  cpSync(REALM_FILE, join(HOME, 'data/import/gatehouse-realm.json'))
  return {
    command: join(HOME, 'bin/kc.sh'),
    args: [
      'start',
      '--optimized',
      '--import-realm',
      '--cache=local',
      '--http-enabled=true',
      '--http-host=127.0.0.1',
      `--http-port=${settings.ports.keycloak}`,
      `--hostname=${settings.identityProvider}`,
      // Keeps row values out of Keycloak's log.
      `--db-url=jdbc:postgresql://127.0.0.1:${settings.ports.postgres}/keycloak?logServerErrorDetail=false`,
      '--db-username=keycloak',
    ],
    env: {
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      // C1 compiler only: halves the CPU of a start.
      JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      // Variables in the realm file.
      SITE_URL: settings.site,
      SITE_NAME: readConfig(fileURLToPath(new URL('site.json', SITE_FOLDER))).site.name,
      MAIL_SMTP_PORT: String(settings.ports.smtp),
    },
  }
}

/** Keycloak's own database and role, closed to other roles. */
export async function makeKeycloakDatabase(settings: Settings) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('postgres', 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query(`select 1 from pg_database where datname = 'keycloak'`)
    if (rows.length > 0) return
    await client.query(`drop role if exists keycloak`)
    await client.query(`create role keycloak login`)
    // Again, for its settings on Keycloak's role.
    await client.query(readFileSync(ROLES, 'utf8'))
    await client.query(`create database keycloak owner keycloak template template0`)
    await client.query(`revoke connect on database keycloak from public`)
  } finally {
    await client.end()
  }
}

type Realm = {
  users: {
    id?: string
    username: string
    realmRoles?: string[]
    credentials?: { value: string }[]
  }[]
}

/** Accounts of the realm file, which alone defines them. */
export const demoAccounts = () =>
  (JSON.parse(readFileSync(REALM_FILE, 'utf8')) as Realm).users.flatMap(
    ({ id, username, realmRoles, credentials }) =>
      id && credentials
        ? [
            {
              sub: id,
              username,
              password: credentials[0]?.value ?? '',
              isAdmin: realmRoles?.includes('admin') ?? false,
            },
          ]
        : [],
  )

/** Hash of the realm file. */
export const realmHash = () => createHash('sha256').update(readFileSync(REALM_FILE)).digest('hex')
