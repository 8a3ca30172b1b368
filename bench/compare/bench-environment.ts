import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startKeyServer, type Person } from '../../ops/drills/kit/key-server.ts'
import { API_PROGRAM, buildApi } from '../../tools/build/api-build.ts'
import { startPostgres, type Postgres } from '../../tools/stack/postgres.ts'
import { CHECKOUT, freePort } from '../../tools/stack/settings.ts'
import { FAST } from '../growth/sizes.ts'
import { seedOrReuse } from '../../ops/drills/kit/million-cache.ts'
import { requestOf, casesOf, readExisting, type Case, type Side } from './cases.ts'
import { connectClient, type HttpResponse, type Connection, type Request } from './client.ts'
import { assignTickets, CALLERS, type Role } from './callers.ts'
import { treeCpuMs } from './process-stats.ts'

const DATABASE = 'bench'
const READY_MS = 60_000
const POLL_MS = 5
const RELOAD_MS = 50
const PROGRAMS = { ours: API_PROGRAM, bare: 'bench/bare-fastify/server.ts' }

/** Limits are raised, not removed. No worker: its CPU belongs to no request. */
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

/** Durable as in production. No vacuum or checkpoint during a round; statements are counted on demand. */
const CLUSTER = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_preload_libraries: 'pg_stat_statements',
}

/** Memory settings of the installed service. Bare Fastify uses Node's defaults. */
export function shippedMemory(): Record<string, string> {
  const unit = readFileSync(join(CHECKOUT, 'ops/systemd/gatehouse-api@.service'), 'utf8')
  const told = /^Environment=(MALLOC_.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
  return Object.fromEntries(told.map((one) => one.split(/=(.*)/).slice(0, 2)))
}

type Data = { directory: string; tickets: number }

/** Seeds a separate database, once per directory; migrates and vacuums it. */
export async function fill({ directory, tickets }: Data) {
  const postgres = await startPostgres({ directory, settings: FAST })
  try {
    await seedOrReuse({ postgres, directory, database: DATABASE, tickets })
    const client = await connectTo(postgres)
    const done = join(directory, 'people')
    if (!existsSync(done)) await assignTickets(client, tickets)
    // Twice: after the first, a fifth of the tickets' pages is not marked all-visible, and totals read their rows.
    for (let time = 0; time < 2; time++) await client.query('vacuum analyze')
    await client.query('create extension if not exists pg_stat_statements')
    await client.end()
    writeFileSync(done, '')
  } finally {
    await postgres.stop()
  }
}

async function connectTo(postgres: Postgres) {
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  await client.connect()
  return client
}

export type Server = {
  side: Side
  port: number
  pid: number
  stop: () => Promise<void>
  /** Headers of a caller; only our server distinguishes callers. */
  headers: (person: Person) => Promise<Record<string, string>>
}
type Send = (request: Request) => Promise<HttpResponse>
export type BenchEnvironment = Awaited<ReturnType<typeof startBench>>
type Options = Data & {
  peers?: (postgres: Postgres) => Promise<Server[]>
}

export async function startBench({ directory, tickets, peers }: Options) {
  await fill({ directory, tickets })
  const postgres = await startPostgres({ directory, settings: CLUSTER })
  const client = await connectTo(postgres)
  await countStatements(client, false)
  const keys = await startKeyServer()
  const env = { ...keys.env, DATABASE_URL: postgres.url('gatehouse_app', DATABASE) }
  await buildApi()
  const toToken = async (person: Person) => ({
    authorization: `Bearer ${await keys.tokenOf(person)}`,
  })
  const servers: Server[] = [
    { ...(await startServer('ours', env)), headers: toToken },
    { ...(await startServer('bare', env)), headers: async () => ({}) },
    ...((await peers?.(postgres)) ?? []),
  ]
  const { lines, close } = await openLines(servers)
  return {
    postgres,
    client,
    env,
    servers,
    sides: servers.map(({ side }) => side),
    lines,
    cases: casesOf(await readExisting(client)),
    /** CPU of the server and of all PostgreSQL processes, including its writers. */
    cpu: (side: Side) => ({
      node: treeCpuMs(servers.find((server) => server.side === side)?.pid ?? 0),
      database: treeCpuMs(postgres.pid),
    }),
    close: async () => {
      close()
      for (const server of servers) await server.stop()
      await client.end()
      keys.stop()
      await postgres.stop()
    },
  }
}

/** On demand, because it costs CPU. Applies to later statements. */
export async function countStatements(client: pg.Client, isOn: boolean) {
  await client.query(`alter system set pg_stat_statements.track = '${isOn ? 'top' : 'none'}'`)
  await client.query('select pg_reload_conf()')
  await setTimeout(RELOAD_MS)
}

async function openLines(servers: Server[]) {
  const opened: Connection[] = []
  const linesTo = ({ port, headers }: Server, people: Person[]) =>
    Promise.all(
      people.map(async (person): Promise<Send> => {
        const line = connectClient(port)
        opened.push(line)
        const own = await headers(person)
        return (request) => line.send({ ...request, headers: { ...request.headers, ...own } })
      }),
    )
  const lines = {} as Record<Role, Map<Side, Send[]>>
  for (const role of Object.keys(CALLERS) as Role[]) {
    lines[role] = new Map()
    for (const server of servers) lines[role].set(server.side, await linesTo(server, CALLERS[role]))
  }
  return {
    lines,
    close: () => {
      for (const line of opened) line.close()
    },
  }
}

/** Started like the systemd unit, without flags. */
export async function startServer(side: keyof typeof PROGRAMS, env: Record<string, string>) {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [PROGRAMS[side]], {
    cwd: CHECKOUT,
    env: {
      PATH: process.env['PATH'],
      ...(side === 'ours' ? shippedMemory() : {}),
      ...SETTINGS,
      ...env,
      PORT: String(port),
      METRICS_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(child, `http://127.0.0.1:${port}${side === 'ours' ? '/readyz' : '/tickets'}`)
  return {
    side,
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - started,
    stop: () => end(child),
  }
}

export async function untilAnswered(child: ChildProcess, url: string) {
  const deadline = performance.now() + READY_MS
  const isThere = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isThere())) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} timed out before it was ready`)
    await setTimeout(POLL_MS)
  }
}

export async function end(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

let asked = 0

/** Sends `count` requests of a case, one at a time per caller; returns the bytes of the bodies and the first `n`. */
export async function sendMany(
  scene: Pick<BenchEnvironment, 'lines'>,
  one: Case,
  { side, count, from = asked }: { side: Side; count: number; from?: number },
) {
  let left = count
  let bytes = 0
  asked = Math.max(asked, from + count)
  await Promise.all(
    (scene.lines[one.role].get(side) ?? []).map(async (send, caller) => {
      for (let n = from; left > 0; n++) {
        left--
        const request = requestOf(one, side)(caller, n)
        const { status, body } = await retryWhileBusy(() => send(request))
        if (status < 200 || status > 299)
          throw new Error(`${side}: ${one.name}: ${request.path}: ${status} ${body}`)
        bytes += Buffer.byteLength(body)
      }
    }),
  )
  return { bytes, from }
}

const BUSY = 503
const TRIES = 20
const PAUSE_MS = 100

/** On a busy machine a request may be shed; nothing was executed then. */
async function retryWhileBusy(send: () => Promise<HttpResponse>) {
  for (let tried = 1; ; tried++) {
    const response = await send()
    if (response.status !== BUSY || tried === TRIES) return response
    await setTimeout(PAUSE_MS)
  }
}
