import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { grantRights, setStorage } from './define-table.ts'
import { ROOT, SITE_FOLDER } from './paths.ts'

/** Numbered separately. The product's run first, because the site's build on them. */
const MIGRATION_SOURCES = [
  { prefix: '', folder: new URL('api/migrations/', ROOT) },
  { prefix: 'site/', folder: new URL('migrations/', SITE_FOLDER) },
]
const LOCK = 7_164_283
const LOCK_POLL_MS = 200
/**
 * Below the 2 s of requests queued behind it: the migration yields and retries. Above deadlock_timeout, or autovacuum
 * would never yield.
 */
const LOCK_TIMEOUT = '1500ms'
const LOCK_TRIES = 10
const LOCK_PAUSE_MS = 2_000
/** Without it, a network that drops packets would keep the replica from ever being ready. */
const CONNECT_TIMEOUT_MS = 5_000
/** Statements separated by an empty line and sent one by one: PostgreSQL wraps a multi-statement query in a transaction. */
export const NO_TRANSACTION = '-- no transaction'

export const isInTransaction = (text: string) => !text.startsWith(NO_TRANSACTION)

/** Statements of a file without a transaction. */
export const statementsOf = (text: string) => text.split(/\n\s*\n/)

/** Carries the file name to the log. */
class MigrationError extends Error {
  readonly migration: string
  constructor(migration: string, cause: unknown) {
    super(`Migration ${migration} failed`, { cause })
    this.migration = migration
  }
}

/** Columns of the ledger, which no table definition declares. */
export const MIGRATIONS_COLUMNS = ['migrations.name', 'migrations.applied_at']
/** Schema of pg-boss, which creates and changes its own tables. */
export const QUEUE_SCHEMA = 'pgboss'

/** Applies missing migrations in order, once across processes, then declared rights and storage. Returns their names. */
export async function migrate(url: string, tables: PgTable[], folder?: URL): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // The statement fails anyway; without a listener a lost server would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await takeLock(client)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    const missing = migrationsIn(folder).filter(({ name }) => !applied.has(name))
    for (const { name, file } of missing)
      await apply(client, { name, text: readFileSync(file, 'utf8') })
    await installQueue(client)
    const query = async (text: string, values?: unknown[]) =>
      (await client.query(text, values)).rows
    await grantRights(query, tables)
    await setStorage(query, tables)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** pg-boss creates its own schema; the application role may use but not alter it. */
async function installQueue(client: pg.Client) {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.stop()
  await client.query(`grant select on migrations to gatehouse_app;
    grant usage on schema pgboss to gatehouse_app;
    grant select, insert, update, delete on all tables in schema pgboss to gatehouse_app;
    grant execute on all functions in schema pgboss to gatehouse_app`)
}

/** All migrations this code knows, by their names in the ledger: `0001-a.sql`, `site/0001-b.sql`. */
export const migrationNames = () => migrationsIn().map(({ name }) => name)

const migrationsIn = (folder?: URL) =>
  (folder ? [{ prefix: '', folder }] : MIGRATION_SOURCES).flatMap(({ prefix, folder }) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => ({ name: prefix + name, file: new URL(name, folder) })),
  )

/** Polls instead of blocking: CREATE INDEX CONCURRENTLY waits for open statements. */
async function takeLock(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LOCK],
    )
    if (rows[0]?.taken) return
    await setTimeout(LOCK_POLL_MS)
  }
}

async function apply(client: pg.Client, { name, text }: { name: string; text: string }) {
  const isTransaction = isInTransaction(text)
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
      if (isTransaction) await client.query('begin')
      for (const statement of isTransaction ? [text] : statementsOf(text))
        await runStatement(client, statement)
      await client.query('insert into migrations (name) values ($1)', [name])
      if (isTransaction) await client.query('commit')
      return
    } catch (error) {
      if (isTransaction) await client.query('rollback')
      if (!isLockConflict(error) || attempt === LOCK_TRIES) throw new MigrationError(name, error)
      await setTimeout(LOCK_PAUSE_MS)
    }
  }
}

/** Rebuilds an invalid index left by an interrupted CONCURRENTLY. */
async function runStatement(client: pg.Client, statement: string) {
  const [, index] =
    /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS ("\w+")/m.exec(statement) ?? []
  if (index) {
    const { rows } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    )
    if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
  }
  await client.query(statement)
}

/** A lock timeout, or a deadlock with a request. */
const isLockConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')
