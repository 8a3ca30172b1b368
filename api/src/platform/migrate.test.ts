import type { Field, Model } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, ddlOf, sqlOn } from '../../test/kit.ts'
import { declared } from '#installation.ts'
import { migrate, migrationNames } from './migrate.ts'
import { isAppendOnly, setStorage } from './define-table.ts'

type Database = Awaited<ReturnType<typeof cloneDatabase>>

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'))
const databases: Database[] = []
let migrated: Database
beforeAll(async () => {
  migrated = await createDatabase()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const database of databases) await database.drop()
})

test('the migrate program reads its password from a file and rejects a weak one by name', async () => {
  const script = new URL('../../../tools/db/migrate.ts', import.meta.url).pathname
  const file = join(folder, 'password')
  writeFileSync(file, 'changeme\n')
  const env = {
    ...process.env,
    DATABASE_MIGRATION_URL: migrated.url('gatehouse_migrate'),
    DATABASE_MIGRATION_PASSWORD_FILE: file,
  }
  await expect(promisify(execFile)(process.execPath, [script], { env })).rejects.toMatchObject({
    stdout: expect.stringContaining('DATABASE_MIGRATION_PASSWORD is publicly known'),
  })
})

test('ten processes migrating one empty database all succeed, and each file is applied once', async () => {
  const database = await createDatabase({ isEmpty: true })
  const script = new URL('../../../tools/db/migrate.ts', import.meta.url).pathname
  const env = { ...process.env, DATABASE_MIGRATION_URL: database.url('gatehouse_migrate') }
  // A failed process rejects with its exit code and output.
  const runs = await Promise.all(
    Array.from({ length: 10 }, () => promisify(execFile)(process.execPath, [script], { env })),
  )
  const output = runs.map(({ stdout }) => stdout.trim())
  expect(output.filter((line) => line === 'Nothing to apply.')).toHaveLength(9)
  expect(output).toContain(`Applied ${migrationNames().join(', ')}`)
  const ledger = await database.sql('select name from migrations order by name')
  expect(ledger.map(({ name }) => name)).toEqual(migrationNames())
  expect(await catalogueOf(database)).toEqual(await catalogueOf(migrated))
})

test('a migrated database equals the models: columns, indexes and constraints', async () => {
  expect(await catalogueOf(migrated)).toEqual(await catalogueOf(await built(models)))
})

test('tables have a fill factor of 90 unless they are append-only', async () => {
  const rows = await migrated.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and 'fillfactor=90' = any(reloptions)`,
  )
  const changing = declared().tables.filter((table) => !isAppendOnly(table))
  expect(rows.map(({ relname }) => String(relname)).toSorted()).toEqual(
    changing.map((table) => getTableName(table)).toSorted(),
  )
})

test.each<[change: string, path: string, field: string, settings: Partial<Field>]>([
  [
    'an added field',
    'services',
    'extra',
    { type: 'text', label: 'Extra', privacy: { personal: false } },
  ],
  ['a changed type', 'services', 'responseHours', { type: 'decimal' }],
  ['a field made required', 'services', 'icon', { required: true }],
  ['a field made optional', 'services', 'summary', { required: false }],
  ['an added sort order', 'services', 'icon', { sortable: true }],
  ['a removed sort order', 'services', 'name', { sortable: false }],
  ['a field made unique', 'services', 'name', { unique: true }],
  ['a field removed from search', 'services', 'summary', { searchable: false }],
  ['a changed onDelete', 'tickets', 'service', { onDelete: 'restrict' }],
  ['a changed relation target', 'tickets', 'service', { to: 'organisations' }],
  ['a removed sequence', 'tickets', 'number', { sequence: false }],
])(
  'comparing a migrated database with the models detects %s',
  async (_change, path, field, settings) => {
    const changed = structuredClone(models)
    const model = changed.find((one) => one.path === path)
    if (model) model.fields[field] = { ...model.fields[field], ...settings } as Field
    expect(await catalogueOf(await built(changed))).not.toEqual(await catalogueOf(migrated))
  },
)

test('a second migration run applies nothing, and later runs only new files', async () => {
  const database = await createDatabase({ isEmpty: true })
  const url = database.url('gatehouse_migrate')
  const first = write('once', { '0001-a.sql': 'create table a (id int)' })
  expect(await migrate(url, [], first)).toEqual(['0001-a.sql'])
  expect(await migrate(url, [], first)).toEqual([])
  write('once', { '0002-b.sql': 'create table b (id int)', 'notes.txt': 'not SQL' })
  expect(await migrate(url, [], first)).toEqual(['0002-b.sql'])
})

test('a failed migration is rolled back and named in the error, and earlier ones are kept', async () => {
  const database = await createDatabase({ isEmpty: true })
  const url = database.url('gatehouse_migrate')
  const files = write('broken', {
    '0001-good.sql': 'create table good (id int)',
    '0002-bad.sql': 'create table half (id int); select * from nowhere',
    '0003-later.sql': 'create table later (id int)',
  })
  await expect(migrate(url, [], files)).rejects.toThrow('Migration 0002-bad.sql failed')
  expect(await tablesOf(database)).toEqual(['good', 'migrations'])
  // The lock was released with the connection.
  write('broken', { '0002-bad.sql': 'create table half (id int)' })
  expect(await migrate(url, [], files)).toEqual(['0002-bad.sql', '0003-later.sql'])
})

test('a migration that begins with "-- no transaction" runs outside one', async () => {
  const database = await createDatabase({ isEmpty: true })
  const concurrently = 'create index concurrently things_index on things (id)'
  const files = write('outside', {
    '0001-things.sql': 'create table things (id int)',
    '0002-index.sql': `-- no transaction\n${concurrently}`,
    '0003-inside.sql': concurrently.replace('things_index', 'other_index'),
  })
  // The third proves that the marker matters: PostgreSQL rejects it inside a transaction.
  await expect(migrate(database.url('gatehouse_migrate'), [], files)).rejects.toThrow(
    '0003-inside.sql',
  )
  const indexes = await database.sql(
    `select indexrelid::regclass::text as name from pg_index where indisvalid and indrelid = 'things'::regclass`,
  )
  expect(indexes).toEqual([{ name: 'things_index' }])
})

test('migration statements outside a transaction run one by one, and an invalid index is rebuilt', async () => {
  const database = await createDatabase({ isEmpty: true })
  const build = (name: string) => `CREATE INDEX CONCURRENTLY IF NOT EXISTS "${name}" ON things (id)`
  await database.sql('create table things as select 1 as id from generate_series(1, 2)')
  await expect(
    database.sql('create unique index concurrently broken on things (id)'),
  ).rejects.toThrow('could not create unique index')
  const files = write('several', {
    '0001-indexes.sql': `-- no transaction\n${build('broken')};\n\n${build('sound')};\n`,
  })
  await migrate(database.url('gatehouse_migrate'), [], files)
  const indexes = await database.sql(
    `select indexrelid::regclass::text as name from pg_index
      where indisvalid and indrelid = 'things'::regclass order by name`,
  )
  expect(indexes).toEqual([{ name: 'broken' }, { name: 'sound' }])
})

test('a migration that can’t lock its table yields to requests, then retries', async () => {
  const database = await createDatabase({ isEmpty: true })
  const url = database.url('gatehouse_migrate')
  await database.sql('create table busy (id int)')
  const files = write('busy', { '0001-busy.sql': 'alter table busy add column more int' })
  const release = await database.hold('lock table busy in access share mode')
  const done = migrate(url, [], files)
  await setTimeout(500)
  // Queued behind the migration, which waits for the transaction above.
  const started = performance.now()
  await database.sql('select * from busy')
  expect(performance.now() - started).toBeLessThan(2_000)
  await release()
  expect(await done).toEqual(['0001-busy.sql'])
  expect(performance.now() - started).toBeGreaterThan(2_000)
})

const AUDIT_ROW = `insert into audit_events (actor_kind, action, entity, fields, outcome, request_id)
  values ('system', 'test', 'none', '{}', 'done', 'r')`
const AUDIT_CHANGES = [
  `update audit_events set outcome = 'other'`,
  'delete from audit_events',
  'truncate audit_events',
]
const NOT_ALLOWED = { code: '42501' }

test('the application can only read and append to the audit log', async () => {
  const asApp = (text: string) => sqlOn(migrated.url('gatehouse_app'), text)
  await asApp(AUDIT_ROW)
  expect(await asApp('select action from audit_events')).toEqual([{ action: 'test' }])
  // Only a warning in PostgreSQL; it must have no effect.
  await asApp('grant all on audit_events to gatehouse_app')
  for (const text of [
    ...AUDIT_CHANGES,
    'alter table audit_events disable trigger all',
    'drop trigger audit_events_append_only on audit_events',
    'set session_replication_role = replica',
    'set role gatehouse_migrate',
  ])
    await expect(asApp(text), text).rejects.toMatchObject(NOT_ALLOWED)
})

test('the application can’t alter tables or the migration ledger', async () => {
  for (const text of [
    'create table mine (id int)',
    'create schema mine',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create index mine on services (summary)',
    'create extension hstore',
    'alter table services add column mine int',
    'drop table services',
    'truncate services',
    `insert into migrations (name) values ('mine')`,
  ])
    await expect(sqlOn(migrated.url('gatehouse_app'), text), text).rejects.toMatchObject(
      NOT_ALLOWED,
    )
})

test('the application can read and write every table that isn’t append-only', async () => {
  const rights = await migrated.sql(
    `select relname as name, bool_and(has_table_privilege('gatehouse_app', oid, privilege)) as has
      from pg_class, unnest(array['select', 'insert', 'update', 'delete']) privilege
      where relnamespace = 'public'::regnamespace and relkind = 'r' group by relname order by relname`,
  )
  const without = rights.filter(({ has }) => !has).map(({ name }) => name)
  expect(without).toEqual([
    'audit_events',
    'migrations',
    'revisions',
    'security_events',
    'subject_refs',
  ])
})

test('the read-only role can only read, even if it turns off default_transaction_read_only', async () => {
  const url = migrated.url('gatehouse_read')
  for (const model of models)
    expect(await sqlOn(url, `select 1 from ${model.path.replaceAll('-', '_')}`)).toEqual([])
  const row = `insert into subject_refs (sub, ref) values ('x', gen_random_uuid())`
  await expect(sqlOn(url, row)).rejects.toMatchObject({ code: '25006' })
  const insisting = `${url}?options=-c%20default_transaction_read_only%3Doff`
  for (const text of [
    row,
    AUDIT_ROW,
    ...AUDIT_CHANGES,
    'delete from services',
    'create table x ()',
  ])
    await expect(sqlOn(insisting, text), text).rejects.toMatchObject(NOT_ALLOWED)
})

test('changes to the audit log are rejected, even for the database owner', async () => {
  await migrated.sql(AUDIT_ROW)
  const before = await migrated.sql('select * from audit_events')
  for (const text of AUDIT_CHANGES)
    await expect(migrated.sql(text), text).rejects.toThrow('audit_events can only be added to')
  expect(await migrated.sql('select * from audit_events')).toEqual(before)
})

async function createDatabase(options: { isEmpty?: boolean } = {}) {
  const database = await cloneDatabase(options)
  databases.push(database)
  return database
}

/** A database built from the models, without migrations. */
async function built(from: Model[]) {
  const database = await createDatabase({ isEmpty: true })
  await database.sql(`create extension pg_trgm; ${await ddlOf(null, from)}`)
  await setStorage(database.sql, declared().tables)
  return database
}

function write(name: string, files: Record<string, string>) {
  const url = pathToFileURL(`${join(folder, name)}/`)
  mkdirSync(url, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(new URL(file, url), text)
  return url
}

const tablesOf = async (database: Database) => {
  const rows = await database.sql(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map(({ tablename }) => tablename)
}

/** A database's schema as the models define it, one line each, ignoring column order. */
async function catalogueOf(database: Database) {
  const rows = await database.sql(`
    with ours as (
      select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
    )
    select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid), 'identity ' || nullif(attidentity::text, ''),
      'generated ' || nullif(attgenerated::text, ''), attcollation::regcollation) as line
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid in (select oid from ours) and attnum > 0 and not attisdropped
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid) from pg_index
    where indrelid in (select oid from ours)
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where conrelid in (select oid from ours)
    order by line`)
  expect(rows.length).toBeGreaterThan(200)
  return rows.map(({ line }) => line)
}
