import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { startApi } from '../ops/drills/kit/api-process.ts'
import type { startKeyServer } from '../ops/drills/kit/key-server.ts'
import type { Postgres } from '../tools/stack/postgres.ts'

export type Plan = { text: string; buffers: number }

const FILE = 'plans'
const WAIT_MS = 10_000

/**
 * auto_explain logs the plan and buffers of every statement, so the statements are measured as the API sends them and as
 * PostgreSQL plans them.
 */
export const planSettings = (directory: string) => ({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: directory,
  log_filename: `${FILE}.log`,
  log_rotation_age: '0',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
})

/** Enables logging for the role, which ops/roles.sql disables. Applies to new connections. */
export const showPlans = (client: pg.Client) =>
  client.query('alter role gatehouse_app reset log_min_messages')

export type Keys = Awaited<ReturnType<typeof startKeyServer>>
type Measured = { postgres: Postgres; keys: Keys; database: string; env?: Record<string, string> }

/** The API without a worker, whose statements would count too; with one connection, so that repeats reach the generic plan. */
export const startMeasured = ({ postgres, keys, database, env = {} }: Measured) =>
  startApi({
    env: {
      ...keys.env,
      DATABASE_URL: postgres.url('gatehouse_app', database),
      DATABASE_POOL: '1',
      WORKER: 'off',
      ...env,
    },
  })

/** Statements the API batches outside requests. */
export const isBeside = ({ text }: Plan) => /^(with given as|insert into "subject_refs")/.test(text)

/** Plans of other roles are ignored. */
export async function plansOf(
  { directory, client }: { directory: string; client: pg.Client },
  run: () => Promise<unknown>,
): Promise<Plan[]> {
  const file = join(directory, `${FILE}.json`)
  const start = statSync(file).size
  await run()
  // The log is asynchronous but ordered: once it contains the marker, it contains everything before.
  const mark = `mark ${crypto.randomUUID()}`
  await client.query(`select '${mark}'`)
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    // The last line may be incomplete.
    const lines = textFrom(file, start).split('\n').slice(0, -1)
    if (lines.some((line) => line.includes(mark))) return lines.flatMap(toPlan)
    if (Date.now() > deadline) throw new Error('timed out waiting for a plan in PostgreSQL’s log')
    await setTimeout(10)
  }
}

/** Reads only new lines: the log grows to gigabytes. */
function textFrom(file: string, start: number) {
  const bytes = Buffer.alloc(statSync(file).size - start)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, bytes.length, start)
  closeSync(descriptor)
  return bytes.toString()
}

function toPlan(line: string): Plan[] {
  if (!line.includes('plan:')) return []
  const entry = JSON.parse(line) as { user?: string; message: string }
  if (entry.user !== 'gatehouse_app') return []
  const explained = JSON.parse(entry.message.slice(entry.message.indexOf('{'))) as {
    'Query Text': string
    Plan: Record<string, number>
  }
  return [
    {
      text: explained['Query Text'],
      buffers:
        (explained.Plan['Shared Hit Blocks'] ?? 0) + (explained.Plan['Shared Read Blocks'] ?? 0),
    },
  ]
}
