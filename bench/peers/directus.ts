import { execFileSync, spawn } from 'node:child_process'
import pg from 'pg'
import { freePort } from '../../tools/stack/settings.ts'
import type { Postgres } from '../../tools/stack/postgres.ts'
import { end, untilAnswered, type Server } from '../compare/bench-environment.ts'
import { HOMES, PROGRAMS } from './install.ts'

const DATABASE = 'directus'
const TOKEN = 'bench-token'

/** Without cache, limits, activity and revisions; authenticated by a static token. */
const envOf = ({ port }: Postgres, listen: number) => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  DB_CLIENT: 'pg',
  DB_HOST: '127.0.0.1',
  DB_PORT: String(port),
  DB_DATABASE: DATABASE,
  DB_USER: 'postgres',
  SECRET: 'bench-bench-bench-bench-bench-bench',
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: 'bench-bench',
  ADMIN_TOKEN: TOKEN,
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  HOST: '127.0.0.1',
  PORT: String(listen),
})

export async function prepareDirectus(postgres: Postgres) {
  if (await postgres.hasDatabase(DATABASE)) await postgres.dropDatabase(DATABASE)
  await postgres.createDatabase(DATABASE)
  execFileSync(process.execPath, [PROGRAMS.directus, 'bootstrap'], {
    cwd: HOMES.directus,
    env: envOf(postgres, 0),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const columns = await columnsOf(postgres)
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  await client.connect()
  await client.query(
    `create table tickets (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
  )
  copyTickets(postgres, columns.map(({ name }) => name).join(', '))
  await client.query(`alter table tickets add primary key (id), alter id set default gen_random_uuid(),
    alter version set default 1, alter created_at set default now(), alter updated_at set default now()`)
  await client.query(
    `insert into directus_collections (collection, accountability) values ('tickets', null)`,
  )
  await client.query('vacuum analyze')
  await client.end()
}

async function columnsOf(postgres: Postgres) {
  const client = new pg.Client({ connectionString: postgres.url('postgres', 'bench') })
  await client.connect()
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'tickets'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )
  await client.end()
  return rows
}

function copyTickets(postgres: Postgres, columns: string) {
  const from = `psql -qX '${postgres.url('postgres', 'bench')}' -c 'copy (select ${columns} from tickets where deleted_at is null) to stdout'`
  const into = `psql -qX '${postgres.url('postgres', DATABASE)}' -c 'copy tickets (${columns}) from stdin'`
  execFileSync('sh', ['-c', `${from} | ${into}`], { stdio: 'inherit' })
}

export async function startDirectus(postgres: Postgres): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAMS.directus, 'start'], {
    cwd: HOMES.directus,
    env: envOf(postgres, port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(child, `http://127.0.0.1:${port}/server/ping`)
  return {
    side: 'directus',
    port,
    pid: child.pid ?? 0,
    stop: () => end(child),
    headers: async () => ({ authorization: `Bearer ${TOKEN}` }),
  }
}
