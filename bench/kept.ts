import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { declared } from '../api/src/installation.ts'
import { migrate } from '../api/src/platform/migrate.ts'
import type { startPostgres } from '../tools/stack/postgres.ts'
import { seed, TICKETS } from './seed.ts'

const TOOLS = new URL('../.tools/', import.meta.url).pathname

/** A cache folder in .tools, keyed by migrations and seed; replaces an older one. */
export function cacheDirectory(name: string) {
  const hash = createHash('sha256')
  const migrations = new URL('../api/migrations/', import.meta.url)
  const files = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
  for (const file of files.toSorted()) hash.update(readFileSync(new URL(file, migrations)))
  hash.update(readFileSync(new URL('seed.ts', import.meta.url)))
  const folder = join(TOOLS, dirname(name))
  const prefix = `${basename(name)}-`
  const wanted = `${prefix}${hash.digest('hex').slice(0, 12)}`
  mkdirSync(folder, { recursive: true })
  for (const other of readdirSync(folder))
    if (other.startsWith(prefix) && other !== wanted)
      rmSync(join(folder, other), { recursive: true, force: true })
  return join(folder, wanted)
}

type Place = {
  postgres: Awaited<ReturnType<typeof startPostgres>>
  directory: string
  database: string
}

/** Seeds a million tickets, unless cached. */
export async function fillOnce({ postgres, directory, database }: Place) {
  const done = join(directory, 'filled')
  if (existsSync(done)) return
  const started = Date.now()
  console.log(`Creating ${TICKETS.toLocaleString('en')} tickets (cached for later runs)…`)
  await postgres.dropDatabase(database)
  await postgres.createDatabase(database)
  await migrate(postgres.url('gatehouse_migrate', database), declared().tables)
  const client = new pg.Client({ connectionString: postgres.url('postgres', database) })
  await client.connect()
  await seed(client)
  // Later inserts continue the numbering.
  await client.query(`select setval('tickets_number_seq', ${TICKETS})`)
  await client.end()
  writeFileSync(done, '')
  console.log(`created in ${Math.round((Date.now() - started) / 1000)} s`)
}
