import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { freePort } from '../../tools/stack/settings.ts'
import type { Postgres } from '../../tools/stack/postgres.ts'
import { end, untilAnswered, type Server } from '../compare/bench-environment.ts'
import { pocketId } from '../compare/pocket-id.ts'
import { PROGRAMS } from './install.ts'

const ACCOUNT = { identity: 'bench@example.com', password: 'bench-bench' }
const BATCH = 20_000

/** PocketBase's field types for our columns; system columns are its own. */
const TEXTS =
  'full_name email phone callback_wish subject contact_type message client_id client_name contact organisation service status priority resolution internal_notes'.split(
    ' ',
  )
const DATES = 'callback_at opened_at due_at closed_at last_contact_at'.split(' ')
const NUMBERS = ['number', 'minutes_spent', 'version']
const FIELDS = [
  ...TEXTS.map((name) => ({ name, type: 'text', max: 10_000 })),
  ...DATES.map((name) => ({ name, type: 'date' })),
  ...NUMBERS.map((name) => ({ name, type: 'number' })),
  { name: 'billable', type: 'bool' },
  { name: 'tags', type: 'json' },
]
const COLUMNS = FIELDS.map(({ name }) => name)

const folderIn = (directory: string) => join(directory, 'pocketbase')

export async function preparePocketBase(postgres: Postgres, directory: string) {
  const folder = folderIn(directory)
  rmSync(folder, { recursive: true, force: true })
  const { identity, password } = ACCOUNT
  execFileSync(PROGRAMS.pocketbase, ['superuser', 'upsert', identity, password, '--dir', folder])
  const server = await startPocketBase(directory)
  const response = await fetch(`http://127.0.0.1:${server.port}/api/collections`, {
    method: 'POST',
    headers: { ...(await server.headers()), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'tickets', type: 'base', fields: FIELDS }),
  })
  if (!response.ok) throw new Error(`PocketBase: ${await response.text()}`)
  await server.stop()
  await copyTickets(postgres, join(folder, 'data.db'))
}

async function copyTickets(postgres: Postgres, file: string) {
  const client = new pg.Client({ connectionString: postgres.url('postgres', 'bench') })
  await client.connect()
  const database = new DatabaseSync(file)
  const marks = COLUMNS.map(() => '?').join(', ')
  const insert = database.prepare(
    `insert into tickets (id, ${COLUMNS.join(', ')}) values (?, ${marks})`,
  )
  const texts = COLUMNS.map((name) => `coalesce(${asText(name)}, '') as ${name}`).join(', ')
  for (let from = 0, isMore = true; isMore; from += BATCH) {
    const { rows } = await client.query<Record<string, string>>(
      `select number as n, ${texts} from tickets where number > $1 and number <= $2 and deleted_at is null`,
      [from, from + BATCH],
    )
    database.exec('begin')
    for (const row of rows)
      insert.run(pocketId(Number(row['n'])), ...COLUMNS.map((name) => row[name] ?? ''))
    database.exec('commit')
    isMore = rows.length > 0
  }
  database.exec('analyze')
  database.close()
  await client.end()
}

function asText(name: string) {
  if (name === 'tags') return `to_json(tags)::text`
  if (DATES.includes(name))
    return `to_char(${name} at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')`
  return `${name}::text`
}

export async function startPocketBase(
  directory: string,
): Promise<Server & { headers: () => Promise<Record<string, string>> }> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const args = ['serve', `--http=127.0.0.1:${port}`, '--dir', folderIn(directory)]
  const child = spawn(PROGRAMS.pocketbase, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await untilAnswered(child, `${base}/api/health`)
  const signedIn = await fetch(`${base}/api/collections/_superusers/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  const { token } = (await signedIn.json()) as { token: string }
  return {
    side: 'pocketbase',
    port,
    pid: child.pid ?? 0,
    stop: () => end(child),
    headers: async () => ({ authorization: token }),
  }
}
