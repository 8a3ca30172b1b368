import pg from 'pg'
import type { Settings } from '../stack/settings.ts'

/** A database of its own on the stack's PostgreSQL, for an API beside the stack's. */
export async function createStackDatabase({ databaseUrl }: Settings, prefix: string) {
  const name = `${prefix}_${process.pid}`
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: databaseUrl('postgres', 'postgres') })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await run(`create database ${name} owner gatehouse_migrate template template0`)
  return {
    env: {
      DATABASE_URL: databaseUrl('gatehouse_app', name),
      DATABASE_MIGRATION_URL: databaseUrl('gatehouse_migrate', name),
    },
    drop: () => run(`drop database ${name} with (force)`),
  }
}

/** The test that started this process closes it when it is done. */
export async function untilStdinEnds() {
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('end', resolve))
}
