import pg from 'pg'
import { stackDatabaseUrl } from '../stack/stack-database.ts'

/** Counts in the database that `db:migrate` would migrate; null if none responds. */
export async function openCounter() {
  const url = process.env['DATABASE_MIGRATION_URL'] || stackDatabaseUrl('gatehouse_migrate')
  const client = url ? await connect(url) : null
  return {
    count: async (table: string, where: string) => {
      if (!client) return null
      try {
        const { rows } = await client.query<{ count: string }>(
          `select count(*) from "${table}" where ${where}`,
        )
        return Number(rows[0]?.count)
      } catch {
        // Not migrated yet: the table or column is not there.
        return null
      }
    },
    close: async () => client?.end(),
  }
}

async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return null
  }
}
