import pg from 'pg'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import type { Postgres } from '../../tools/stack/postgres.ts'
import { planSettings, showPlans, startMeasured, type Keys } from '../plans.ts'
import { DATABASE, startSize, type Size } from './sizes.ts'

export type SizedDatabase = {
  base: string
  client: pg.Client
  directory: string
  keys: Keys
  postgres: Postgres
}

/** The cached database of a size with logged plans, and the API on it. */
export async function atSize<T>(size: Size, run: (scene: SizedDatabase) => Promise<T>) {
  const { directory, postgres } = await startSize(size, planSettings)
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  const keys = await startKeyServer()
  try {
    await client.connect()
    // Removes dead rows of earlier runs, and marks pages all-visible, which the seed's vacuum can't right after its commit.
    await client.query('vacuum')
    await showPlans(client)
    const api = await startMeasured({ postgres, keys, database: DATABASE })
    try {
      return await run({ base: api.base, client, directory, keys, postgres })
    } finally {
      await api.stop()
    }
  } finally {
    await client.end()
    keys.stop()
    await postgres.stop()
  }
}
