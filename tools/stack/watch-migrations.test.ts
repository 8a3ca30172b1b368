import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyWorkspace, withoutSite } from '../build/workspace.ts'
import { startPostgres } from './postgres.ts'
import { freePorts, type Settings } from './settings.ts'

const HOOK_TIMEOUT_MS = 120_000
const POLL_MS = 200

let copy: string
let settings: Settings
let env: NodeJS.ProcessEnv
let postgres: Awaited<ReturnType<typeof startPostgres>>

/** The database of a stack, without its other parts. */
beforeAll(async () => {
  copy = copyWorkspace()
  cpSync(join(copy, 'sample'), join(copy, 'site'), { recursive: true })
  mkdirSync(join(copy, 'site/migrations'))
  env = { ...withoutSite(), ...(await freePorts()) }
  delete env['DATABASE_MIGRATION_URL']
  const { readSettings } = (await import(
    pathToFileURL(join(copy, 'tools/stack/settings.ts')).href
  )) as { readSettings: (env: NodeJS.ProcessEnv) => Settings }
  settings = readSettings(env)
  postgres = await startPostgres({
    directory: join(settings.state, 'postgres'),
    port: settings.ports.postgres,
  })
  await postgres.createDatabase('gatehouse')
}, HOOK_TIMEOUT_MS)
afterAll(async () => {
  await postgres?.stop()
  for (const folder of [copy, settings?.state]) rmSync(folder, { recursive: true, force: true })
}, HOOK_TIMEOUT_MS)

function migrate(more: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'db:migrate'], {
    cwd: copy,
    env: { ...env, ...more },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

test('db:migrate without a URL migrates the database of the running stack, and says so', () => {
  const { status, output } = migrate()
  expect(status, output).toBe(0)
  expect(output).toContain(`the stack's database, ${settings.databaseUrl('gatehouse_migrate')}`)
  expect(output).toContain('Applied 0001-privileges.sql')
})

test('db:migrate asks for a URL if the stack’s port is another program’s', () => {
  const { status, output } = migrate({ POSTGRES_PORT: String(settings.ports.smtp) })
  expect(status).toBe(1)
  expect(output).toContain('DATABASE_MIGRATION_URL is not set')
})

test('npm run dev applies a new migration of the site to the stack’s database, whatever the environment names', async () => {
  const script = `
    import { readSettings } from ${JSON.stringify(join(copy, 'tools/stack/settings.ts'))}
    import { watchMigrations } from ${JSON.stringify(join(copy, 'tools/stack/watch-migrations.ts'))}
    watchMigrations(readSettings())
    console.log('watching')`
  const watching = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: copy,
    env: { ...env, DATABASE_MIGRATION_URL: 'postgres://nobody@127.0.0.1:1/other' },
  })
  let output = ''
  for (const stream of [watching.stdout, watching.stderr])
    stream.on('data', (chunk) => (output += String(chunk)))
  while (!output.includes('watching')) await setTimeout(POLL_MS)
  for (const [number, sql] of [
    'create table site_a (id int);',
    'create table site_b ();',
  ].entries())
    writeFileSync(join(copy, `site/migrations/000${number + 1}-a.sql`), sql)
  while (!output.includes('Applied') && watching.exitCode === null) await setTimeout(POLL_MS)
  watching.kill()
  await once(watching, 'exit')
  expect(output).toContain(`the stack's database, ${settings.databaseUrl('gatehouse_migrate')}`)
  expect(output).toContain('Applied site/0001-a.sql, site/0002-a.sql')
  expect(await tablesOfSite()).toEqual(['site_a', 'site_b'])
})

async function tablesOfSite() {
  const client = new pg.Client({ connectionString: settings.databaseUrl('gatehouse_migrate') })
  await client.connect()
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where tablename like 'site%' order by 1`,
  )
  await client.end()
  return rows.map(({ tablename }) => tablename)
}
