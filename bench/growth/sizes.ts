import { startPostgres } from '../../tools/stack/postgres.ts'
import { cacheDirectory, seedOrReuse, isFilled } from '../../ops/drills/kit/million-cache.ts'

export const SIZES = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000 }
export type Size = keyof typeof SIZES

export const DATABASE = 'bench'

export const isSize = (text: string): text is Size => Object.hasOwn(SIZES, text)

export const cachedSizes = (always: Size) =>
  (Object.keys(SIZES) as Size[]).filter((size) => size === always || isFilled(`bench/${size}`))

/** Not durable: the data can be created again. */
export const FAST = {
  shared_buffers: '1GB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
}

export async function startSize(
  size: Size,
  settingsFor: (directory: string) => Record<string, string> = () => ({}),
) {
  const directory = cacheDirectory(`bench/${size}`)
  const postgres = await startPostgres({
    directory,
    settings: { ...FAST, ...settingsFor(directory) },
  })
  try {
    await seedOrReuse({ postgres, directory, database: DATABASE, tickets: SIZES[size] })
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return { directory, postgres }
}
