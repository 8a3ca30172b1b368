import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeycloakDatabase } from './keycloak.ts'
import { startPostgres } from './postgres.ts'
import { readSettings } from './settings.ts'

// A server that logs everything, the worst an operator may have configured.
const TALKATIVE = {
  log_statement: 'all',
  log_min_duration_statement: '0',
  log_min_messages: 'debug1',
  log_min_error_statement: 'debug1',
  log_error_verbosity: 'verbose',
  log_parameter_max_length: '-1',
  log_parameter_max_length_on_error: '-1',
  debug_print_parse: 'on',
}
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-database-log-'))
const log = join(directory, 'server.log')
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres({
    directory,
    log,
    settings: TALKATIVE,
  })
  await createKeycloakDatabase(readSettings({ POSTGRES_PORT: String(postgres.port) }))
})
afterAll(async () => {
  await postgres.stop()
  rmSync(directory, { recursive: true })
})

/** Every way a value can get into the server's log. */
async function plant(role: string, mark: string) {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: postgres.port,
    user: role,
    database: 'postgres',
  })
  await client.connect()
  const statements: [string, string[]][] = [
    [`select '${mark}'`, []],
    ['select $1::text', [mark]],
    ['select $1::uuid', [mark]],
    [`select * from "${mark}"`, []],
    ['insert into pg_temp.people values ($1), ($1)', [mark]],
    [`do $$ begin raise exception using message = '${mark}', detail = '${mark}'; end $$`, []],
  ]
  await client.query('begin read write')
  await client.query('create temp table people (email text primary key)')
  await client.query('commit')
  for (const [text, values] of statements)
    await client
      .query('begin read write')
      .then(() => client.query(text, values))
      .catch(() => {})
      .then(() => client.query('rollback'))
  await client.end()
}

test.each(['gatehouse_app', 'gatehouse_migrate', 'gatehouse_read', 'keycloak'])(
  'no value sent by %s is in the database’s log',
  async (role) => {
    const mark = randomBytes(8).toString('hex')
    await plant(role, mark)
    expect(
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(mark)),
    ).toEqual([])
  },
)

test('a database role without our settings logs values', async () => {
  const mark = randomBytes(8).toString('hex')
  await plant('postgres', mark)
  expect(readFileSync(log, 'utf8')).toContain(mark)
})
