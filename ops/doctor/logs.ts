import { execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { POLICIES } from '@gatehouse/model'
import pg from 'pg'
import { LOGS_PROMISE } from '../../api/src/privacy/notice/notice.ts'
import { failure, errorMessage, ok, warning, type Finding, type Installation } from './finding.ts'
import { findLeakingLogs } from './log-canaries.ts'
import { allNamed, parseNginx, readNginx } from './nginx.ts'
import { LOGS_OF_OURS } from './stores.ts'

const DAY_MS = 86_400_000
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|)$/
const CONNECT_TIMEOUT_MS = 5_000
const PROMISE = `the notice says: "${LOGS_PROMISE}"`
const ROLES = `psql -f ops/roles.sql as a superuser of the cluster; ${PROMISE}`
const OUR_ROLES = ['gatehouse_migrate', 'gatehouse_app', 'gatehouse_read', 'keycloak']
/** Settings of each role in ops/roles.sql. */
const ROLE_SETTINGS = [
  'log_min_messages=fatal',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_statement=none',
  'log_min_duration_statement=-1',
  'log_min_duration_sample=-1',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
]

/** Checks that logging matches the notice: reads the log settings, then sends canaries and searches the logs. */
export async function checkLogs(installation: Installation): Promise<Finding[]> {
  return [
    ...checkNginx(readNginx()),
    ...(await checkRoles(installation)),
    ...checkKeycloak(readKeycloak(installation)),
    ...(await checkAge(installation)),
    ...(await checkMarks(installation)),
  ]
}

/** Our server blocks. Each must set its own logs: the http block around them is the distribution's. */
export function checkNginx(text: string | null) {
  const servers = parseNginx(text ?? '')
    .filter(({ file }) => file.includes('gatehouse'))
    .flatMap(({ file, directives }) =>
      allNamed(directives, 'server')
        .filter(({ block }) => block.length > 0)
        .map(({ block }) => ({ file, block })),
    )
  if (servers.length === 0)
    return [
      warning(
        'nginx’s configuration can’t be read here',
        `check where it runs, as root: nginx -T; each server needs access_log off and error_log stderr emerg`,
      ),
    ]
  const wrong = servers.flatMap(({ file, block }) => {
    const listen = block.find(({ name }) => name === 'listen')?.args[0] ?? ''
    const own = (name: string) => block.find((directive) => directive.name === name)?.args ?? []
    const isSilent =
      own('access_log')[0] === 'off' &&
      allNamed(block, 'access_log').every(({ args }) => args[0] === 'off')
    const isCalm =
      own('error_log')[1] === 'emerg' &&
      allNamed(block, 'error_log').every(({ args }) => args[1] === 'emerg')
    const fail = (directive: string, wanted: string) =>
      failure(
        `The server of ${file} on ${listen} lacks "${wanted}": nginx logs addresses and queries`,
        `correct ${directive} in ${file}, or run gatehouse up; ${PROMISE}`,
      )
    return [
      ...(isSilent ? [] : [fail('access_log', 'access_log off')]),
      ...(isCalm ? [] : [fail('error_log', 'error_log stderr emerg')]),
    ]
  })
  return wrong.length > 0 ? wrong : [ok(`nginx logs no request: ${servers.length} servers`)]
}

/** Our roles, and Keycloak's if it shares the cluster. */
async function checkRoles({ settings }: Installation) {
  if (!settings) return []
  const client = new pg.Client({
    connectionString: settings.databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  try {
    await client.connect()
    return await roleFindings(client)
  } catch (error) {
    return [
      warning(
        `Cannot check PostgreSQL’s log settings: ${errorMessage(error)}`,
        'start PostgreSQL, or correct DATABASE_URL',
      ),
    ]
  } finally {
    await client.end().catch(() => null)
  }
}

export async function roleFindings(client: pg.Client) {
  const { rows } = await client.query<{ role: string; missing: string[]; exceptions: string[] }>(
    `select rolname as role,
       array(select unnest($2::text[]) except select unnest(rolconfig)) as missing,
       array(select setting from pg_db_role_setting, unnest(setconfig) setting
             where setdatabase <> 0 and setrole = pg_roles.oid
               and split_part(setting, '=', 1) = any($3) and setting <> all($2)) as exceptions
     from pg_roles where rolname = any($1) order by rolname`,
    [OUR_ROLES, ROLE_SETTINGS, ROLE_SETTINGS.map((setting) => setting.split('=')[0])],
  )
  const wrong = rows.flatMap(({ role, missing, exceptions }) => [
    ...(missing.length === 0
      ? []
      : [failure(`PostgreSQL logs values of ${role}: it lacks ${missing.join(', ')}`, ROLES)]),
    ...exceptions.map((setting) =>
      failure(
        `A database’s setting overrides that of ${role}: ${setting}`,
        `alter role ${role} in database NAME reset ${setting.split('=')[0]}; ${PROMISE}`,
      ),
    ),
  ])
  const names = rows.map(({ role }) => role).join(', ')
  return wrong.length > 0 ? wrong : [ok(`PostgreSQL logs no values of ${names}`)]
}

/** `keptSeconds`: how long events are stored; null: not at all, 0: for ever. */
type RealmLogs = { name: string; keptSeconds: number | null; listeners: string[] }
/** Long enough for the API to collect them. */
const EVENTS_MAX_SECONDS = 86_400
/** Writes no log: sends mail to the account only. */
const QUIET_LISTENERS = ['email']

/** Read from Keycloak's database if it is in the local cluster and we may assume its owner's role; otherwise null. */
function readKeycloak({ settings }: Installation) {
  const { hostname, port } = new URL(settings?.databaseUrl ?? 'postgres://elsewhere')
  if (!LOCAL.test(hostname)) return null
  const query = `select json_agg(json_build_object('name', name,
      'keptSeconds', case when events_enabled then events_expiration end,
      'listeners', array(select value from realm_events_listeners where realm_id = realm.id)))
    from realm where name <> 'master'`
  const psql = ['psql', '-p', port || '5432', '-d', 'keycloak', '-Atc', query]
  try {
    const text = execFileSync('runuser', ['-u', 'postgres', '--', ...psql], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: '/',
    })
    return JSON.parse(text) as RealmLogs[]
  } catch {
    return null
  }
}

/** A warning if unreadable: the identity provider is usually on another machine. */
export function checkKeycloak(realms: RealmLogs[] | null) {
  if (!realms)
    return [
      warning(
        'The identity provider’s log settings can’t be read here',
        './gatehouse realm --check compares them (on a server: gatehouse realm --check)',
      ),
    ]
  const wrong = realms.flatMap(({ name, keptSeconds, listeners }) => {
    const loud = listeners.filter((listener) => !QUIET_LISTENERS.includes(listener))
    const isKept = keptSeconds !== null && (keptSeconds === 0 || keptSeconds > EVENTS_MAX_SECONDS)
    const what = [...loud, ...(isKept ? ['events are kept for more than a day'] : [])]
    return what.length > 0 ? [{ name, what }] : []
  })
  return wrong.length === 0
    ? [ok('Keycloak does not log sign-ins, and stores them for a day at most')]
    : wrong.map(({ name, what }) =>
        failure(
          `Keycloak records who signs in to realm ${name}: ${what.join(', ')}`,
          `apply the realm (docs/operating.md); ${PROMISE}`,
        ),
      )
}

export async function checkAge({ logPlaces }: Installation) {
  const { longest, promise } = POLICIES.technical
  const old: string[] = []
  for (const folder of logPlaces)
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      const file = join(folder, name)
      const facts = lstatSync(file, { throwIfNoEntry: false })
      const isOld = facts?.isFile() && Date.now() - facts.mtimeMs > longest * DAY_MS
      if (isOld && LOGS_OF_OURS.test(file)) old.push(file)
    }
  return old.map((file) =>
    failure(
      `${file} is older than ${promise}`,
      `delete it, and configure logrotate or journald to do so; the notice says: "Technical logs: ${promise}"`,
    ),
  )
}

async function checkMarks(installation: Installation) {
  const { sightings, notPlanted, logs } = await findLeakingLogs(installation)
  const where = Map.groupBy(sightings, (sighting) => sighting.where)
  return [
    ...[...where].map(([file, found]) =>
      failure(
        `${file} holds ${[...new Set(found.map(({ what }) => what))].join(', ')}`,
        `stop logging it there; ${PROMISE}`,
      ),
    ),
    ...notPlanted.map((what) =>
      warning(
        `Couldn’t test whether ${what} is logged`,
        'start the services that are down, then run the doctor again',
      ),
    ),
    ...(logs.length === 0
      ? [
          warning(
            'No logs found here',
            'run the doctor as root where nginx, PostgreSQL and Keycloak log',
          ),
        ]
      : sightings.length === 0
        ? [ok(`No personal data in ${logs.length} logs`)]
        : []),
  ]
}
