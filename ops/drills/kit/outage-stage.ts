import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../api/src/platform/migrate.ts'
import { freePort, postgresPid, startPostgres } from '../../../tools/stack/postgres.ts'
import { startKeyServer } from './key-server.ts'
import { startWire } from './wire.ts'

const DATABASE = 'drill'

/** A PostgreSQL that can be crashed and started again, at the end of a wire that can fall silent. Begins crashed. */
export async function openOutage() {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-drill-'))
  const port = await freePort()
  const data = join(directory, 'data')
  const wire = await startWire(port)
  const keys = await startKeyServer()
  const start = () => startPostgres({ directory, port })

  /** PostgreSQL's immediate shutdown: every connection is dropped, and what was under way with it. */
  const crash = async () => {
    const pid = postgresPid(data)
    if (pid === null) return
    process.kill(pid, 'SIGQUIT')
    while (postgresPid(data) !== null) await setTimeout(20)
  }

  const postgres = await start()
  await postgres.createDatabase(DATABASE)
  await migrate(postgres.url('gatehouse_migrate', DATABASE))
  await crash()
  return {
    directory,
    keys,
    start,
    crash,
    silence: () => void (wire.state.isSilent = true),
    speak: () => void (wire.state.isSilent = false),
    env: {
      ...keys.env,
      DATABASE_URL: wire.url(postgres.url('gatehouse_app', DATABASE)),
      DATABASE_MIGRATION_URL: wire.url(postgres.url('gatehouse_migrate', DATABASE)),
    },
    /** Past the wire, on a connection of its own: one that is kept would not outlive a crash. */
    ask: async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
      const client = new pg.Client({
        connectionString: postgres.url('gatehouse_migrate', DATABASE),
      })
      await client.connect()
      try {
        return (await client.query(sql, values)).rows
      } finally {
        await client.end()
      }
    },
    close: async () => {
      await wire.cut()
      keys.stop()
      await crash()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type Outage = Awaited<ReturnType<typeof openOutage>>
