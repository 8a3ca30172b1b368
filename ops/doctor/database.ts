import pg from 'pg'
import { migrationNames } from '../../api/src/platform/migrate.ts'
import { checkClock } from './machine.ts'
import {
  failure,
  errorMessage,
  notInProduction,
  ok,
  warning,
  type Installation,
} from './finding.ts'

const CONNECT_TIMEOUT_MS = 5_000
const VERSION_MIN = 15
const ROLES = 'psql -f ops/roles.sql as a superuser of the cluster'
/** Settings of the API's role in ops/roles.sql. */
const ROLE_SETTINGS = {
  statement_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

export async function checkDatabase(installation: Installation) {
  const { settings } = installation
  if (!settings) return []
  const { databaseUrl, migrationUrl } = settings
  try {
    return await withClient(databaseUrl, async (client) => [
      await checkVersion(client),
      ...(await checkCollations(client)),
      ...(await checkRole(client)),
      await checkMigrations(client, migrationUrl),
      await checkRecords(client, installation),
      await checkDatabaseClock(client),
      ...(await checkDeadLetters(client)),
    ])
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl)
    return [
      failure(
        `Cannot connect to database ${host}${pathname}: ${errorMessage(error)}`,
        'start PostgreSQL, or correct DATABASE_URL',
      ),
    ]
  }
}

async function checkVersion(client: pg.Client) {
  const version = await valueOf(client, 'show server_version')
  return Number.parseInt(version, 10) >= VERSION_MIN
    ? ok(`PostgreSQL ${version} responds`)
    : failure(`PostgreSQL ${version} is too old`, `upgrade to ${VERSION_MIN} or newer`)
}

/** Indexes of texts are sorted by the collation: of another version of ICU or the C library, they miss rows. Keycloak's too, if it is in this cluster. */
async function checkCollations(client: pg.Client) {
  const { rows } = await client.query<{ name: string; stored: string; actual: string }>(
    `select datname as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
     from pg_database where datname in (current_database(), 'keycloak') order by 1`,
  )
  const outdated = rows.filter(({ stored, actual }) => stored !== actual)
  if (outdated.length === 0) return [ok('The indexes of texts are sorted as this machine sorts')]
  return outdated.map(({ name, stored, actual }) =>
    failure(
      `The indexes of texts in ${name} were sorted by collation version ${stored}, and this machine has ${actual}: searches may miss rows`,
      `as a superuser: REINDEX DATABASE ${name}; ALTER DATABASE ${name} REFRESH COLLATION VERSION`,
    ),
  )
}

/** The role's permissions limit the damage of a bug in the API. */
async function checkRole(client: pg.Client) {
  const role = await valueOf(client, 'select current_user')
  const canChangeTables = await valueOf(
    client,
    `select rolsuper or has_schema_privilege('public', 'create') or exists (
       select from pg_class where relnamespace = 'public'::regnamespace and relowner = pg_roles.oid)
     from pg_roles where rolname = current_user`,
  )
  const findings = []
  if (canChangeTables === 'true')
    findings.push(
      failure(`Role ${role} can alter tables`, 'use the role gatehouse_app in DATABASE_URL'),
    )
  for (const [name, wanted] of Object.entries(ROLE_SETTINGS)) {
    const value = await valueOf(client, `show ${name}`)
    if (value !== wanted)
      findings.push(failure(`${name} of role ${role} is ${value}, not ${wanted}`, ROLES))
  }
  return findings.length > 0 ? findings : [ok(`Role ${role} has its limits`)]
}

async function checkMigrations(client: pg.Client, migrationUrl: string | null) {
  const applied = (await mayReadMigrations(client))
    ? await readMigrations(client)
    : migrationUrl && (await withClient(migrationUrl, readMigrations))
  if (!applied)
    return warning(
      'This role can’t read which migrations are applied',
      'set DATABASE_MIGRATION_URL for the doctor, or check /readyz of the API',
    )
  const missing = migrationNames().filter((name) => !applied.includes(name))
  return missing.length > 0
    ? failure(`Migrations not applied: ${missing.join(', ')}`, 'npm run db:migrate')
    : ok('All migrations are applied')
}

const mayReadMigrations = async (client: pg.Client) =>
  (await valueOf(
    client,
    `select coalesce(has_table_privilege(to_regclass('public.migrations'), 'select'), false)`,
  )) === 'true'

async function readMigrations(client: pg.Client) {
  if ((await valueOf(client, `select to_regclass('public.migrations')`)) === 'null') return []
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return rows.map(({ name }) => name)
}

async function checkRecords(client: pg.Client, installation: Installation) {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.columns
     where table_schema = 'public' and column_name = 'sample'`,
  )
  let samples = 0
  for (const { name } of rows)
    samples += Number(await valueOf(client, `select count(*) from ${name} where sample`))
  return samples > 0
    ? notInProduction(installation)(
        `${samples} records are samples`,
        'remove them: npm run seed -- --remove',
      )
    : ok('No record is a sample')
}

const checkDatabaseClock = async (client: pg.Client) =>
  checkClock(
    'the database',
    Number(await valueOf(client, 'select extract(epoch from clock_timestamp()) * 1000')),
  )

/** Recipients of undelivered emails aren't notified. */
async function checkDeadLetters(client: pg.Client) {
  const columns = await valueOf(
    client,
    `select count(*) from information_schema.columns where table_name = 'outbox' and column_name = 'failed_at'`,
  )
  if (columns === '0') return []
  const dead = await valueOf(
    client,
    `select count(*) from outbox where failed_at is not null and recipient is not null and code <> 'outdated'`,
  )
  return dead === '0'
    ? [ok('No email is undelivered')]
    : [warning(`${dead} emails were not delivered`, 'send them again on the System page')]
}

/** The first row, over a connection of its own. */
export const queryRow = <T extends object>(url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows[0] as T)

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function valueOf(client: pg.Client, text: string) {
  const { rows } = await client.query({ text, rowMode: 'array' })
  return String(rows[0]?.[0])
}
