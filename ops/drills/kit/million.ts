import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../api/src/platform/migrate.ts'
import { seed, TICKETS } from '../../../bench/seed.ts'
import { startPostgres } from '../../../tools/stack/postgres.ts'

const TOOLS = new URL('../../../.tools/', import.meta.url).pathname
const PREFIX = 'million-'
const ORIGINAL = 'million'
const COPY = 'drill'

/** A database with the million tickets of the benchmark: made once and kept in .tools, and copied for every run. */
export async function openMillion() {
  const directory = dataDirectory()
  const postgres = await startPostgres({
    directory,
    settings: { shared_buffers: '512MB', max_wal_size: '4GB' },
  })
  try {
    if (!existsSync(join(directory, 'filled'))) {
      await fill(postgres)
      writeFileSync(join(directory, 'filled'), '')
    }
    await postgres.dropDatabase(COPY)
    await postgres.createDatabase(COPY, ORIGINAL)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return {
    url: (role: 'gatehouse_app' | 'gatehouse_migrate') => postgres.url(role, COPY),
    close: async () => {
      await postgres.dropDatabase(COPY)
      await postgres.stop()
    },
  }
}

/** Other migrations or another seed are another database; the old one goes. */
function dataDirectory() {
  const hash = createHash('sha256')
  const migrations = new URL('../../../api/migrations/', import.meta.url)
  for (const name of readdirSync(migrations).toSorted())
    hash.update(readFileSync(new URL(name, migrations)))
  hash.update(readFileSync(new URL('../../../bench/seed.ts', import.meta.url)))
  const wanted = `${PREFIX}${hash.digest('hex').slice(0, 12)}`
  mkdirSync(TOOLS, { recursive: true })
  for (const name of readdirSync(TOOLS))
    if (name.startsWith(PREFIX) && name !== wanted)
      rmSync(join(TOOLS, name), { recursive: true, force: true })
  return join(TOOLS, wanted)
}

async function fill(postgres: Awaited<ReturnType<typeof startPostgres>>) {
  const started = Date.now()
  console.log(`Making ${TICKETS.toLocaleString('en')} tickets, once …`)
  await postgres.dropDatabase(ORIGINAL)
  await postgres.createDatabase(ORIGINAL)
  await migrate(postgres.url('gatehouse_migrate', ORIGINAL))
  const client = new pg.Client({ connectionString: postgres.url('postgres', ORIGINAL) })
  await client.connect()
  await seed(client)
  // The benchmark only reads; here tickets are made, with the next number.
  await client.query(`select setval('tickets_number_seq', ${TICKETS})`)
  await client.end()
  console.log(`made in ${Math.round((Date.now() - started) / 1000)} s`)
}
