import { seedOrReuse, cacheDirectory } from './million-cache.ts'
import { startPostgres } from '../../../tools/stack/postgres.ts'

const ORIGINAL = 'million'
const COPY = 'drill'

/** The benchmark's database of a million tickets: cached in .tools, copied for each run. */
export async function openSeededDatabase() {
  const directory = cacheDirectory('million')
  const postgres = await startPostgres({
    directory,
    settings: { shared_buffers: '512MB', max_wal_size: '4GB' },
  })
  try {
    await seedOrReuse({ postgres, directory, database: ORIGINAL })
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
