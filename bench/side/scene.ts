import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { declared } from '../../api/src/installation.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { API_PROGRAM, buildApi } from '../../tools/checks/api-build.ts'
import { startPostgres, type Postgres } from '../../tools/stack/postgres.ts'
import { CHECKOUT, freePort } from '../../tools/stack/settings.ts'
import { seed } from '../seed.ts'
import { casesOf, readKnown, type Case } from './cases.ts'
import { openLine, type Answer, type Line, type Request } from './client.ts'
import { givePeople, PEOPLE, type Role } from './people.ts'
import { treeCpuMs } from './proc.ts'

const DATABASE = 'bench'
const READY_MS = 60_000
const POLL_MS = 5
const SERVERS = { ours: API_PROGRAM, bare: 'bench/floor/server.ts' }
export type Side = keyof typeof SERVERS
export const SIDES: Side[] = ['ours', 'bare']

/** Raised, not removed. The worker is another process: its CPU is nobody's request. */
const SETTINGS = {
  NODE_ENV: 'production',
  WORKER: 'off',
  DRAIN_MS: '0',
  READS_PER_MINUTE: '100000000',
  WRITES_PER_MINUTE: '100000000',
  CREATIONS_PER_MINUTE: '100000000',
  PLACES_PER_CALLER: '1000',
  DATABASE_SECONDS_PER_MINUTE: '100000000',
  MAILS_PER_HOUR: '100000000',
}

/** Durable as in production. No vacuum and no checkpoint falls into a round; statements are counted on demand. */
const CLUSTER = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_preload_libraries: 'pg_stat_statements',
}

/** Seeds a database of our own, once per directory. */
async function fill(
  postgres: Postgres,
  { directory, tickets }: { directory: string; tickets: number },
) {
  const done = join(directory, 'filled')
  if (existsSync(done)) return
  await postgres.dropDatabase(DATABASE)
  await postgres.createDatabase(DATABASE)
  await migrate(postgres.url('gatehouse_migrate', DATABASE), declared().tables)
  const client = await connectTo(postgres)
  await seed(client, tickets)
  // Later inserts continue the numbering.
  await client.query(`select setval('tickets_number_seq', ${tickets})`)
  await givePeople(client, tickets)
  await client.query('create extension if not exists pg_stat_statements')
  await client.query(`alter system set pg_stat_statements.track = 'none'`)
  await client.query('select pg_reload_conf()')
  await client.query('checkpoint')
  await client.end()
  writeFileSync(done, '')
}

async function connectTo(postgres: Postgres) {
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  await client.connect()
  return client
}

export type Scene = Awaited<ReturnType<typeof openScene>>

/** Both servers on one database, callers with a token and a line each. */
export async function openScene({ directory, tickets }: { directory: string; tickets: number }) {
  const postgres = await startPostgres({ directory, settings: CLUSTER })
  await fill(postgres, { directory, tickets })
  const client = await connectTo(postgres)
  const keys = await startKeyServer()
  const env = { ...keys.env, DATABASE_URL: postgres.url('gatehouse_app', DATABASE) }
  await buildApi()
  const servers = { ours: await startServer('ours', env), bare: await startServer('bare', env) }
  const lines = {} as Record<Role, Record<Side, ((request: Request) => Promise<Answer>)[]>>
  const opened: Line[] = []
  for (const role of Object.keys(PEOPLE) as Role[]) {
    lines[role] = { ours: [], bare: [] }
    for (const person of PEOPLE[role]) {
      const authorization = `Bearer ${await keys.tokenOf(person)}`
      for (const side of SIDES) {
        const line = await openLine(servers[side].port)
        opened.push(line)
        lines[role][side].push((request) =>
          line.send(
            side === 'bare'
              ? request
              : { ...request, headers: { ...request.headers, authorization } },
          ),
        )
      }
    }
  }
  return {
    directory,
    postgres,
    client,
    keys,
    env,
    servers,
    lines,
    cases: casesOf(await readKnown(client)),
    /** Of the server and of everything of PostgreSQL's, its writers too. */
    cpu: (side: Side) => ({
      node: treeCpuMs(servers[side].pid),
      database: treeCpuMs(postgres.pid),
    }),
    close: async () => {
      for (const line of opened) line.close()
      for (const side of SIDES) await servers[side].stop()
      await client.end()
      keys.stop()
      await postgres.stop()
    },
  }
}

/** As the unit starts it: without flags. */
async function startServer(side: Side, env: Record<string, string>) {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [SERVERS[side]], {
    cwd: CHECKOUT,
    env: { PATH: process.env['PATH'], ...SETTINGS, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok || side === 'bare',
      () => false,
    )
  while (!(await isThere())) {
    if (child.exitCode !== null || performance.now() - started > READY_MS)
      throw new Error(`${SERVERS[side]} did not become ready`)
    await setTimeout(POLL_MS)
  }
  return {
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - started,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

let asked = 0

/** Sends `count` requests of a case, every caller with one under way; returns the bytes of the bodies. */
export async function sendMany(
  scene: Pick<Scene, 'lines'>,
  one: Case,
  { side, count }: { side: Side; count: number },
) {
  let left = count
  let bytes = 0
  const from = asked
  asked += count
  await Promise.all(
    scene.lines[one.role][side].map(async (send, caller) => {
      for (let n = from; left > 0; n++) {
        left--
        const request = one[side](caller, n)
        const { status, body } = await send(request)
        if (status < 200 || status > 299)
          throw new Error(`${side}: ${one.name}: ${request.path}: ${status} ${body}`)
        bytes += Buffer.byteLength(body)
      }
    }),
  )
  return bytes
}
