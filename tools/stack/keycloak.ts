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

/** The administrator of the identity provider itself. For this machine only: it listens on loopback. */
const ADMIN = { name: 'admin', password: 'admin' }

export const isKeycloakInstalled = () => existsSync(HOME)

/** From whatever repository Maven is set up with; the sum makes sure that it is the one that was tried. */
export function installKeycloak() {
  mkdirSync(TOOLS, { recursive: true })
  // Moved into place when it is whole: a download that was interrupted leaves nothing that looks installed.
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
    // Done once here, so that a start need not ask whether it has to be done. What it advises on is not for our readers.
    execFileSync(join(unpacked, 'bin/kc.sh'), ['build', '--db=postgres'], { stdio: 'pipe' })
    renameSync(unpacked, HOME)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** How this stack's Keycloak is started. The realm is read when its database is new, and left alone afterwards. */
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
      // Its errors go to Keycloak's log, and would quote the values of the row.
      `--db-url=jdbc:postgresql://127.0.0.1:${settings.ports.postgres}/keycloak?logServerErrorDetail=false`,
      '--db-username=keycloak',
    ],
    env: {
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      // The quick compiler only: it halves the work of a start, and nobody stays long enough to miss the other.
      JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      // What the realm file leaves open.
      SITE_URL: settings.site,
      SITE_NAME: readConfig(fileURLToPath(new URL('site.json', SITE_FOLDER))).site.name,
      MAIL_SMTP_PORT: String(settings.ports.smtp),
    },
  }
}

/** Its own database and role, in which no other role may look around. */
export async function makeKeycloakDatabase(settings: Settings) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('postgres', 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query(`select 1 from pg_database where datname = 'keycloak'`)
    if (rows.length > 0) return
    await client.query(`drop role if exists keycloak`)
    await client.query(`create role keycloak login`)
    // Again, for what they say of a role of this name.
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

/** The accounts of the realm file: the one place that names them. */
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

/** Changes whenever the realm file does. */
export const realmHash = () => createHash('sha256').update(readFileSync(REALM_FILE)).digest('hex')
