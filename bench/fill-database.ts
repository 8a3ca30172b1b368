import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { declared } from '../api/src/installation.ts'
import { migrate } from '../api/src/platform/migrate.ts'
import type { Postgres } from '../tools/stack/postgres.ts'

type Database = { postgres: Postgres; directory: string; database: string }

/** A migrated and seeded database, unless an earlier run has left one in the folder. */
export async function fillDatabase(
  { postgres, directory, database }: Database,
  seed: (client: pg.Client) => Promise<unknown>,
) {
  const done = join(directory, 'filled')
  if (existsSync(done)) return
  await postgres.dropDatabase(database)
  await postgres.createDatabase(database)
  await migrate(postgres.url('gatehouse_migrate', database), declared().tables)
  const client = new pg.Client({ connectionString: postgres.url('postgres', database) })
  await client.connect()
  try {
    await seed(client)
  } finally {
    await client.end()
  }
  writeFileSync(done, '')
}
