import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API_PROGRAM } from '../build/api-build.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { applyRealm, keycloakProgram, createKeycloakDatabase } from './keycloak.ts'
import { postgresPid, startPostgres, stopPostgres } from './postgres.ts'
import { identityProgram, nginxProgram } from './nginx.ts'
import {
  isResponding,
  groupOf,
  isTaken,
  startBackground,
  stopBackground,
  untilReady,
} from './process.ts'
import { CHECKOUT, OWNER_PATH, type Settings } from './settings.ts'

export type Service = {
  title: string
  address: string
  isRunning: () => boolean
  isReady: () => Promise<boolean>
  /** Resolves when ready. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 60_000
/** Minutes: the first start creates databases, perhaps on two busy cores. */
const KEYCLOAK_TIMEOUT_MS = 600_000

export function buildServices(settings: Settings) {
  const { ports, state } = settings
  return {
    postgres: buildPostgres(settings),
    mail: buildProgram(state, {
      name: 'mail',
      title: 'Mail catcher',
      address: settings.mail,
      ports: { MAIL_SMTP_PORT: ports.smtp, MAIL_PORT: ports.mail },
      probe: `http://127.0.0.1:${ports.mail}/mails`,
      launch: () => ({
        command: process.execPath,
        args: [join(CHECKOUT, 'tools/stack/mail-catcher.ts')],
        env: { MAIL_SMTP_PORT: String(ports.smtp), MAIL_PORT: String(ports.mail) },
      }),
    }),
    keycloak: buildKeycloak(settings),
    identity: buildProgram(state, {
      name: 'identity',
      title: 'Sign-in (nginx)',
      address: settings.identityProvider,
      ports: { KEYCLOAK_PORT: ports.keycloak },
      probe: `http://127.0.0.1:${ports.keycloak}/up`,
      launch: () => identityProgram(settings),
    }),
    api: buildProgram(state, {
      name: 'api',
      title: 'API',
      address: `http://localhost:${ports.api}`,
      ports: { API_PORT: ports.api, METRICS_PORT: ports.metrics },
      probe: `http://127.0.0.1:${ports.api}/readyz`,
      launch: () => ({
        command: process.execPath,
        args: [join(CHECKOUT, API_PROGRAM)],
        env: apiEnv(settings),
      }),
    }),
    site: buildProgram(state, {
      name: 'site',
      title: 'Site (nginx)',
      address: settings.site,
      ports: { SITE_PORT: ports.site },
      probe: `http://127.0.0.1:${ports.site}/config.json`,
      launch: () => nginxProgram(settings),
    }),
  }
}

export type Parts = ReturnType<typeof buildServices>

export const apiEnv = (settings: Settings) => ({
  PORT: String(settings.ports.api),
  METRICS_PORT: String(settings.ports.metrics),
  DATABASE_URL: settings.databaseUrl('gatehouse_app'),
  DATABASE_MIGRATION_URL: settings.databaseUrl('gatehouse_migrate'),
  OIDC_ISSUER: settings.issuer,
  OIDC_OWNER_PATH: OWNER_PATH,
  ADMIN_MFA: settings.adminMfa,
  IDENTITY_ADMIN_URL: settings.identityAdmin,
  IDENTITY_SERVICE_SECRET: DEMO_SECRETS.service,
  SMTP_URL: `smtp://127.0.0.1:${settings.ports.smtp}`,
  // All visitors of a stack share one address.
  INQUIRIES_PER_HOUR: '1000',
  CHOICES_PER_HOUR: '10000',
  PAGES_DIR: settings.pages,
  FILES_DIR: settings.files,
  SIGNING_SECRET: DEMO_SECRETS.signing,
  // No load balancer polls /readyz here.
  DRAIN_MS: '0',
})

/** Rejects a directory of another user: /var/tmp is world-writable. */
export function createStateDirectory({ state }: Settings) {
  mkdirSync(state, { recursive: true, mode: 0o755 })
  if (statSync(state).uid !== process.getuid?.())
    throw new Error(`${state} belongs to another user: set SITE_PORT to another port`)
}

function buildPostgres(settings: Settings): Service {
  const { ports, state } = settings
  const directory = join(state, 'postgres')
  const isRunning = () => postgresPid(join(directory, 'data')) !== null
  return {
    title: 'PostgreSQL',
    address: `127.0.0.1:${ports.postgres}`,
    isRunning,
    isReady: async () => isRunning(),
    start: async () => {
      if (isRunning()) return
      await requireFree({ POSTGRES_PORT: ports.postgres })
      const postgres = await startPostgres({
        directory,
        port: ports.postgres,
        log: join(state, 'postgres.log'),
        // Faster; a crash loses the last moments at most, never the database.
        settings: { synchronous_commit: 'off', max_connections: '200' },
      })
      if (!(await postgres.hasDatabase('gatehouse'))) await postgres.createDatabase('gatehouse')
      await createKeycloakDatabase(settings)
    },
    stop: () => stopPostgres(join(directory, 'data')),
  }
}

/** `start` resolves when the realm is applied. */
function buildKeycloak(settings: Settings): Service {
  const { ports, state, identityAdmin } = settings
  const program = buildProgram(state, {
    name: 'keycloak',
    title: 'Keycloak',
    address: `http://localhost:${ports.keycloakInner}`,
    ports: { KEYCLOAK_INNER_PORT: ports.keycloakInner },
    probe: `${identityAdmin}/realms/master`,
    timeoutMs: KEYCLOAK_TIMEOUT_MS,
    launch: () => keycloakProgram(settings),
  })
  return {
    ...program,
    start: async () => {
      await program.start()
      await applyRealm(settings)
    },
  }
}

type Program = {
  name: string
  title: string
  address: string
  /** Ports by the variable that sets them. */
  ports: Record<string, number>
  probe: string
  timeoutMs?: number
  launch: () => { command: string; args: string[]; env?: NodeJS.ProcessEnv }
}

function buildProgram(state: string, program: Program): Service {
  const background = { name: program.name, state }
  const isRunning = () => groupOf(background) !== null
  const isReady = () => isResponding(program.probe)
  return {
    title: program.title,
    address: program.address,
    isRunning,
    isReady,
    start: async () => {
      if (!isRunning()) {
        await requireFree(program.ports)
        startBackground(background, program.launch())
      }
      await untilReady(background, { isReady, timeoutMs: program.timeoutMs ?? START_TIMEOUT_MS })
    },
    stop: () => stopBackground(background),
  }
}

export async function requireFree(ports: Record<string, number>) {
  for (const [variable, port] of Object.entries(ports))
    if (await isTaken(port))
      throw new Error(`Port ${port} is taken by another program: set ${variable} to a free one`)
}
