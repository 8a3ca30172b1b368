import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { declared } from '../../../api/src/installation.ts'
import { migrate } from '../../../api/src/platform/migrate.ts'
import { postgresPid, startPostgres } from '../../../tools/stack/postgres.ts'
import { freePort } from '../../../tools/stack/settings.ts'
import { startKeyServer } from './key-server.ts'
import { startTcpProxy } from './tcp-proxy.ts'

const DATABASE = 'drill'

type Row = Record<string, unknown>
type Postgres = Awaited<ReturnType<typeof startPostgres>>
type KeyServer = Awaited<ReturnType<typeof startKeyServer>>

export async function startDrillEnvironment() {
  const directory = makeDirectory()
  const postgres = await startPostgres({ directory })
  await postgres.createDatabase(DATABASE)
  const keys = await startKeyServer()
  const client = new pg.Client({ connectionString: postgres.url('gatehouse_migrate', DATABASE) })
  await client.connect()
  return {
    directory,
    keys,
    /** Environment of the API, which also migrates. */
    env: apiEnv({ keys, postgres }),
    ask: async (sql: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query(sql, values)).rows,
    close: async () => {
      await client.end()
      keys.stop()
      await postgres.stop()
      removeDirectory(directory)
    },
  }
}

export type DrillEnvironment = Awaited<ReturnType<typeof startDrillEnvironment>>

/** A PostgreSQL that can be crashed and restarted, behind a proxy that can drop all data. Starts crashed. */
export async function startOutageEnvironment() {
  const directory = makeDirectory()
  const port = await freePort()
  const data = join(directory, 'data')
  const wire = await startTcpProxy(port)
  const keys = await startKeyServer()
  const start = () => startPostgres({ directory, port })

  /** PostgreSQL's immediate shutdown: drops all connections and their transactions. */
  const crash = async () => {
    const pid = postgresPid(data)
    if (pid === null) return
    process.kill(pid, 'SIGQUIT')
    while (postgresPid(data) !== null) await setTimeout(20)
  }

  const postgres = await start()
  await postgres.createDatabase(DATABASE)
  await migrate(postgres.url('gatehouse_migrate', DATABASE), declared().tables)
  await crash()
  return {
    directory,
    keys,
    start,
    crash,
    silence: () => void (wire.state.isSilent = true),
    speak: () => void (wire.state.isSilent = false),
    env: apiEnv({ keys, postgres, through: wire.url }),
    /** Bypasses the proxy with a new connection: a pooled one would not survive a crash. */
    ask: async (sql: string, values: unknown[] = []): Promise<Row[]> => {
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
      removeDirectory(directory)
    },
  }
}

export type Outage = Awaited<ReturnType<typeof startOutageEnvironment>>

const makeDirectory = () => mkdtempSync(join(tmpdir(), 'gatehouse-drill-'))
const removeDirectory = (directory: string) => rmSync(directory, { recursive: true, force: true })

type Around = { keys: KeyServer; postgres: Postgres; through?: (url: string) => string }

const apiEnv = ({ keys, postgres, through = (url) => url }: Around) => ({
  ...keys.env,
  DATABASE_URL: through(postgres.url('gatehouse_app', DATABASE)),
  DATABASE_MIGRATION_URL: through(postgres.url('gatehouse_migrate', DATABASE)),
})
