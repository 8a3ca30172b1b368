import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { migrate } from '../../api/src/platform/migrate.ts'
import { copyWorkspace } from '../../tools/build/workspace.ts'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { startKeyServer } from './kit/key-server.ts'
import { creations, type Write } from './kit/kill-writes.ts'
import { counted, send, startLoad, type Read } from './kit/load-generator.ts'
import { openSeededDatabase } from './kit/seeded-database.ts'
import { addField } from './kit/next-release.ts'
import { migrateKinds } from './migrate-kinds.ts'

/** Duration for which an idle transaction locks the table being migrated. */
const HELD_MS = 10_000
const CALM_MS = 3_000
const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const
/** A constraint on a table in use: NOT VALID first, then validated concurrently. */
const RULE = {
  'rule-for-new-rows': `ALTER TABLE "tickets" ADD CONSTRAINT "tickets_channel_short" CHECK (char_length("channel") <= 40) NOT VALID;`,
  'rule-for-all-rows': `ALTER TABLE "tickets" VALIDATE CONSTRAINT "tickets_channel_short";`,
}

/** `kinds`: each kind of change to 100,000 rows; `million`: one change to a million tickets. Without a name both. */
export async function migrateDrill(part?: string) {
  if (part !== undefined && part !== 'kinds' && part !== 'million')
    throw new Error('npm run drill -- migrate [kinds | million]')
  const areKindsRight = part === 'million' || (await migrateKinds())
  const isMillionRight = part === 'kinds' || (await migrateMillion())
  return areKindsRight && isMillionRight
}

/** Adds a field, an index and a constraint to a million tickets under load; then old and new code serve side by side. */
async function migrateMillion() {
  const million = await openSeededDatabase()
  const keys = await startKeyServer()
  const copy = copyWorkspace()
  try {
    addField(copy)
    addRule(copy)
    const env = { ...keys.env, DATABASE_URL: million.url('gatehouse_app') }
    const { problems, facts } = await run({
      env,
      keys,
      copy,
      url: million.url('gatehouse_migrate'),
    })
    for (const problem of problems) console.log(problem)
    console.log(
      problems.length === 0
        ? `migrate: ok, ${facts}: none failed, old and new code work with the new tables`
        : `migrate: FAILED, ${facts}: ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
    keys.stop()
    await million.close()
  }
}

type Scene = {
  env: Record<string, string>
  keys: Awaited<ReturnType<typeof startKeyServer>>
  copy: string
  url: string
}

async function run({ env, keys, copy, url }: Scene) {
  const authorization = `Bearer ${await keys.tokenOf(ADMIN)}`
  const reads = ['/api/tickets', '/api/tickets?sort=-number', '/api/services'].map(
    (path): Read => ({ path, headers: { authorization } }),
  )
  const old = await startApi({ env })
  try {
    const writes = await creations(keys, 20_000)
    const load = startLoad(old.base, { reads, writes, least: { reads: 0, creates: 0 } })
    await setTimeout(CALM_MS)
    const started = Date.now()
    const applied = await migrateAgainst(url, pathToFileURL(join(copy, 'api/migrations/')))
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    await setTimeout(CALM_MS)
    const done = await load.end()
    console.log(`slowest response ${(done.slowestMs / 1000).toFixed(2)} s`)
    const problems = [
      ...counted(done.failures),
      ...(await checkTables(url)),
      ...(await checkBoth({ old, env, copy, authorization })),
    ]
    if (applied.length < 4) problems.push(`only ${applied.join(', ')} were applied`)
    const facts = `${applied.length} migrations of 1,000,000 tickets in ${seconds} s during ${done.reads} reads and ${done.creates} creations, ${done.refused} rejected with Retry-After and retried`
    return { problems, facts }
  } finally {
    await old.stop()
  }
}

function addRule(copy: string) {
  const folder = join(copy, 'api/migrations')
  let number = Math.max(...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0))
  for (const [name, sql] of Object.entries(RULE))
    writeFileSync(join(folder, `${String(++number).padStart(4, '0')}-${name}.sql`), `${sql}\n`)
}

async function migrateAgainst(url: string, folder: URL) {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from tickets limit 1')
  const started = Date.now()
  const migrating = migrate(url, [], folder)
  await Promise.race([migrating, setTimeout(HELD_MS)])
  const columns = await holder.query(
    `select from information_schema.columns where table_name = 'tickets' and column_name = 'channel'`,
  )
  console.log(
    `after ${((Date.now() - started) / 1000).toFixed(1)} s behind an idle transaction the column ${columns.rowCount ? 'exists' : 'does not exist'}`,
  )
  await holder.query('rollback')
  await holder.end()
  return migrating
}

async function checkTables(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ index: boolean; rule: boolean }>(
    `select (select indisvalid from pg_index where indexrelid = 'tickets_channel_sort'::regclass) as index,
      (select convalidated from pg_constraint where conname = 'tickets_channel_short') as rule`,
  )
  await client.end()
  return rows[0]?.index && rows[0].rule ? [] : ['the index or the rule is not valid']
}

/** The old process, the old code restarted, and the new code each read and update the others' records. */
async function checkBoth(scene: {
  old: ApiProcess
  env: Record<string, string>
  copy: string
  authorization: string
}) {
  const { old, env, copy, authorization } = scene
  const problems: string[] = []
  const again = await startApi({ env }).catch(() => null)
  if (!again) problems.push('the old code does not start with the new tables')
  const fresh = await startApi({ env, root: copy })
  const write = (name: string, changes: Partial<Write>): Write => ({
    name,
    method: 'PUT',
    path: '',
    headers: { authorization, 'content-type': 'application/json' },
    body: {},
    ...changes,
  })
  const expect = (what: string, isTrue: boolean) => void (isTrue || problems.push(what))
  try {
    for (const api of [old, ...(again ? [again] : []), fresh]) {
      const ready = await fetch(`${api.base}/readyz`)
      expect('a replica is not ready with the new tables', ready.ok)
    }
    const body = { subject: 'Both', fullName: 'Drill', email: 'drill@example.test', message: 'Hi' }
    const created = await send(
      fresh.base,
      write('made', { method: 'POST', path: '/api/tickets', body: { ...body, channel: 'phone' } }),
    )
    expect('the new code does not store its field', created.json['channel'] === 'phone')
    const path = `/api/tickets/${String(created.json['id'])}`
    const changed = await send(old.base, write('changed', { path, body: { subject: 'Changed' } }))
    expect('the old code can’t update a record of the new code', changed.status === 200)
    const seen = await send(fresh.base, write('seen', { path, body: { priority: 'High' } }))
    expect('an update by the old code lost the new field', seen.json['channel'] === 'phone')
    expect(
      'the new code does not see an update by the old code',
      seen.json['subject'] === 'Changed',
    )
    const older = await send(
      old.base,
      write('older', { method: 'POST', path: '/api/tickets', body }),
    )
    expect('the old code can’t create', older.status === 201)
    return problems
  } finally {
    await again?.stop()
    await fresh.stop()
  }
}
