import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from './settings.ts'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

export const ROLES = new URL('../../ops/roles.sql', import.meta.url)
const START_TIMEOUT_MS = 30_000

export type Postgres = {
  port: number
  url: (role: Role, database: string) => string
  createDatabase: (name: string, template?: string) => Promise<void>
  dropDatabase: (name: string) => Promise<void>
  hasDatabase: (name: string) => Promise<boolean>
  pid: number
  stop: () => Promise<void>
}
type Role = 'postgres' | 'gatehouse_migrate' | 'gatehouse_app' | 'gatehouse_read'

/** Starts our own PostgreSQL cluster on loopback, never as root; created on first use. */
export async function startPostgres(options: {
  directory: string
  port?: number
  settings?: Record<string, string>
  /** Log file; without it the output is discarded. */
  log?: string
}): Promise<Postgres> {
  const port = options.port ?? (await freePort())
  const data = join(options.directory, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) initCluster(options.directory, data)
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(options.log ?? '/dev/null', 'w')
  const server = spawn(...asPostgres(join(binaries(), 'postgres'), ['-D', data, ...flags]), {
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  server.unref()
  const url = (role: Role, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
  await untilReady(url('postgres', 'postgres'))
  await run(url('postgres', 'postgres'), readFileSync(ROLES, 'utf8'))
  return {
    port,
    url,
    pid: postgresPid(data) ?? 0,
    createDatabase: async (name, template = 'template0') => {
      await run(
        url('postgres', 'postgres'),
        `create database "${name}" owner gatehouse_migrate template "${template}"`,
      )
    },
    dropDatabase: async (name) => {
      await run(url('postgres', 'postgres'), `drop database if exists "${name}" with (force)`)
    },
    hasDatabase: async (name) => {
      const found = `select 1 from pg_database where datname = '${name}'`
      return (await run(url('postgres', 'postgres'), found)) > 0
    },
    stop: () => stopPostgres(data),
  }
}

export async function stopPostgres(data: string) {
  const pid = postgresPid(data)
  if (pid === null) return
  // SIGINT is PostgreSQL's fast shutdown.
  process.kill(pid, 'SIGINT')
  while (postgresPid(data) !== null) await setTimeout(50)
}

/** Pid of this data directory's server, or null: a stale file may name another process. */
export function postgresPid(data: string) {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? pid : null
  } catch {
    return null
  }
}

function initCluster(directory: string, data: string) {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  giveToPostgres(directory)
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  // ICU collation: natural order, the same on every machine.
  const locale = ['--locale-provider=icu', '--icu-locale=en']
  execFileSync(...asPostgres(join(binaries(), 'initdb'), [...flags, ...locale, '--no-sync']), {
    stdio: 'pipe',
  })
}

export function giveToPostgres(path: string) {
  if (isRoot()) chownSync(path, ...ownerIds())
}

const isRoot = () => process.getuid?.() === 0

const ownerIds = (): [number, number] => [
  Number(execFileSync('id', ['-u', 'postgres'])),
  Number(execFileSync('id', ['-g', 'postgres'])),
]

/** PostgreSQL doesn't run as root. */
export const asPostgres = (command: string, args: string[]): [string, string[]] =>
  isRoot() ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]

/** The newest of the system, or those of POSTGRES_BIN. */
function binaries() {
  const chosen = process.env['POSTGRES_BIN']
  if (chosen) return chosen
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .toSorted((a, b) => b - a)
    : []
  const newest = versions.find((version) => existsSync(`${root}/${version}/bin/postgres`))
  if (newest === undefined) throw new Error('PostgreSQL is not installed: npm run setup')
  return `${root}/${newest}/bin`
}

async function untilReady(url: string) {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await run(url, 'select 1')
    } catch (error) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start', { cause: error })
      await setTimeout(100)
    }
  }
}

async function run(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(text)
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
