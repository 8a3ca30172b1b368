import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { ROOT, SITE_FOLDER } from './root.ts'

/** Each half counts for itself. The product's come first: a site builds on the product, never the other way round. */
const HALVES = [
  { prefix: '', folder: new URL('api/migrations/', ROOT) },
  { prefix: 'site/', folder: new URL('migrations/', SITE_FOLDER) },
]
/** Any number will do, as long as every replica takes the same one. */
const LOCK = 7_164_283
const LOCK_POLL_MS = 200
/**
 * A migration that can not get its table soon gives way to the requests that queue behind it, before the 2 s they have
 * are over, and is tried again once they are through. Longer than deadlock_timeout, or autovacuum would never give way.
 */
const LOCK_TIMEOUT = '1500ms'
const LOCK_TRIES = 10
const LOCK_PAUSE_MS = 2_000
/** A network that swallows everything would keep it waiting for ever, and the replica from ever being ready. */
const CONNECT_TIMEOUT_MS = 5_000
/** Its statements stand apart by an empty line: PostgreSQL runs what is sent together as one transaction. */
const NO_TRANSACTION = '-- no transaction'

/** The log finds it by the name of its file. */
class MigrationError extends Error {
  readonly migration: string
  constructor(migration: string, cause: unknown) {
    super(`Migration ${migration} failed`, { cause })
    this.migration = migration
  }
}

/** Applies what is missing, in order, each file once, however many processes try. Returns the names applied. */
export async function migrate(url: string, folder?: URL): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // A server that goes away makes the statement fail; without this it would also end the process.
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
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** The tables of the job queue are pg-boss's own affair; the application may use them and not change them. */
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

/** The names of all migrations this code was written for, as the ledger has them: `0001-a.sql`, `site/0001-b.sql`. */
export const migrationNames = () => migrationsIn().map(({ name }) => name)

const migrationsIn = (folder?: URL) =>
  (folder ? [{ prefix: '', folder }] : HALVES).flatMap(({ prefix, folder }) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => ({ name: prefix + name, file: new URL(name, folder) })),
  )

/** Asks again and again rather than waiting inside a statement: CREATE INDEX CONCURRENTLY waits for every open one. */
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
  const isTransaction = !text.startsWith(NO_TRANSACTION)
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
      if (isTransaction) await client.query('begin')
      for (const statement of isTransaction ? [text] : text.split(/\n\s*\n/))
        await runStatement(client, statement)
      await client.query('insert into migrations (name) values ($1)', [name])
      if (isTransaction) await client.query('commit')
      return
    } catch (error) {
      if (isTransaction) await client.query('rollback')
      if (!isLockTimeout(error) || attempt === LOCK_TRIES) throw new MigrationError(name, error)
      await setTimeout(LOCK_PAUSE_MS)
    }
  }
}

/** An index whose building was cut short is there by name and serves nobody: it is built anew. */
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

const isLockTimeout = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '55P03'
