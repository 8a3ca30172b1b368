import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { declared } from '../../../api/src/installation.ts'
import { migrate } from '../../../api/src/platform/migrate.ts'
import type { startPostgres } from '../../../tools/stack/postgres.ts'
import { seed, TICKETS } from './million-seed.ts'

const TOOLS = new URL('../../../.tools/', import.meta.url).pathname
const MIGRATIONS = new URL('../../../api/migrations/', import.meta.url)
const FILLED = 'filled'

/** Reuses a folder that lacks only newer migrations; deletes the others of this name. */
export function cacheDirectory(name: string) {
  const folder = join(TOOLS, dirname(name))
  const prefix = `${basename(name)}-`
  mkdirSync(folder, { recursive: true })
  const kept = readdirSync(folder).filter((other) => other.startsWith(prefix))
  const wanted = `${prefix}${hashOf(JSON.stringify(sources())).slice(0, 12)}`
  const usable =
    kept.find((other) => other === wanted || isOlderSchema(join(folder, other))) ?? wanted
  for (const other of kept)
    if (other !== usable) rmSync(join(folder, other), { recursive: true, force: true })
  return join(folder, usable)
}

export const isFilled = (name: string) => {
  const folder = join(TOOLS, dirname(name))
  return (
    existsSync(folder) &&
    readdirSync(folder).some(
      (other) => other.startsWith(`${basename(name)}-`) && existsSync(join(folder, other, FILLED)),
    )
  )
}

type CachedDatabase = {
  postgres: Awaited<ReturnType<typeof startPostgres>>
  directory: string
  database: string
  tickets?: number
}

/** Seeds this many tickets unless cached; a cached database gets newer migrations. */
export async function seedOrReuse({
  postgres,
  directory,
  database,
  tickets = TICKETS,
}: CachedDatabase) {
  const done = join(directory, FILLED)
  const isKept = existsSync(done)
  const started = Date.now()
  if (!isKept) {
    console.log(`Creating ${tickets.toLocaleString('en')} tickets (cached for later runs)…`)
    await postgres.dropDatabase(database)
    await postgres.createDatabase(database)
  }
  const applied = await migrate(postgres.url('gatehouse_migrate', database), declared().tables)
  if (isKept && applied.length === 0) return
  const client = new pg.Client({ connectionString: postgres.url('postgres', database) })
  await client.connect()
  if (isKept) await client.query('vacuum analyze')
  else await seed(client, tickets)
  // Later inserts continue the numbering.
  await client.query(`select setval('tickets_number_seq', ${tickets})`)
  await client.end()
  writeFileSync(done, JSON.stringify(sources()))
  console.log(`ready after ${Math.round((Date.now() - started) / 1000)} s`)
}

function sources(): Record<string, string> {
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'))
  const hashes = files
    .toSorted()
    .map((file) => [file, hashOf(readFileSync(new URL(file, MIGRATIONS)))])
  const own = hashOf(readFileSync(new URL('million-seed.ts', import.meta.url)))
  return Object.fromEntries([['million-seed.ts', own], ...hashes]) as Record<string, string>
}

/** True if only newer migrations are missing. */
function isOlderSchema(directory: string) {
  const file = join(directory, FILLED)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text === '') return false
  const now = sources()
  const recorded = JSON.parse(text) as Record<string, string>
  return Object.entries(recorded).every(([name, hash]) => now[name] === hash)
}

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
