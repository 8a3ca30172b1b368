import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../tools/stack/postgres.ts'
import { startKeyServer } from './key-server.ts'

const DATABASE = 'drill'

/** What a drill needs around the API: a PostgreSQL with an empty database, a key server, and eyes on the tables. */
export async function openStage() {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-drill-'))
  const postgres = await startPostgres({ directory })
  await postgres.createDatabase(DATABASE)
  const keys = await startKeyServer()
  const client = new pg.Client({ connectionString: postgres.url('gatehouse_migrate', DATABASE) })
  await client.connect()
  return {
    directory,
    keys,
    /** For the API, which also makes the tables. */
    env: {
      ...keys.env,
      DATABASE_URL: postgres.url('gatehouse_app', DATABASE),
      DATABASE_MIGRATION_URL: postgres.url('gatehouse_migrate', DATABASE),
    },
    ask: async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
      (await client.query(sql, values)).rows,
    close: async () => {
      await client.end()
      keys.stop()
      await postgres.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>
