import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresPid } from './postgres.ts'
import { readSettings } from './settings.ts'

const PORT_LINE = 3

/** The URL of the database that the running stack made itself; null if it is down, or its port is another program's. */
export function stackDatabaseUrl(role: string, settings = readSettings()) {
  const data = join(settings.state, 'postgres/data')
  if (postgresPid(data) === null) return null
  const port = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[PORT_LINE]?.trim()
  return port === String(settings.ports.postgres) ? settings.databaseUrl(role) : null
}
