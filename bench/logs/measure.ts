import { readFileSync } from 'node:fs'
import { models } from '@gatehouse/model/models'
import pg from 'pg'
import { buildEngine } from '../../api/src/engine/engine.ts'
import { buildHistoryCheck } from '../../api/src/engine/security/history-check.ts'
import { connectDb } from '../../api/src/platform/db.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { startPostgres } from '../../tools/stack/postgres.ts'
import { cacheDirectory } from '../../ops/drills/kit/million-cache.ts'
import { BUSY, IDLE, READ_OFTEN, ROWS, seedLogs } from './seed.ts'
import { fillDatabase } from '../fill-database.ts'
import { isBeside, planSettings, plansOf, showPlans, startMeasured } from '../plans.ts'

/** Both logs for owners, with a million events and a million changes: buffers of every view, memory of an export. */
const BUFFERS_MAX = 500
const MEMORY_MAX_MB = 50
const STATEMENT_MAX_MS = 2_000
/** Requests before an export: V8 allocates its young generation with the first load. */
const WARM_UP = 3_000
/** PostgreSQL may switch to a generic plan at the sixth execution; the worst run counts. */
const REPEATS = 8
const DATABASE = 'logs'
const ADMIN = { sub: 'sub-1', name: 'Person sub-1', role: 'admin' } as const

const directory = cacheDirectory('bench/logs')
const postgres = await startPostgres({
  directory,
  settings: { shared_buffers: '512MB', autovacuum: 'off', ...planSettings(directory) },
})
const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
const keys = await startKeyServer()
const results: { what: string; figure: number; limit: number }[] = []
try {
  await fillDatabase({ postgres, directory, database: DATABASE }, seedLogs)
  await client.connect()
  await showPlans(client)
  const api = await startMeasured({ postgres, keys, database: DATABASE })
  try {
    await measureViews(api.base)
    if (process.argv[3] !== 'views') await measureExports(api)
  } finally {
    await api.stop()
  }
  if (process.argv[3] !== 'views') await measureComparison()
} finally {
  await client.end()
  keys.stop()
  await postgres.stop()
}
report()

async function measureViews(base: string) {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
  const { rows } = await client.query<{ id: string }>(`select ${READ_OFTEN} as id`)
  const record = rows[0]?.id ?? ''
  const spans = { '': {}, ', a day a year ago': { from: day(350), to: day(349) } }
  const filters: Record<string, Record<string, string>> = {
    everything: {},
    'someone busy': { person: BUSY },
    'someone quiet': { person: IDLE },
    'a record': { model: 'organisations', record },
  }
  const views: [string, string, Record<string, string>][] = [
    ...Object.entries(filters).map(([what, query]) => ['security-events', what, query] as const),
    ['security-events', 'a common kind', { kind: 'read' }],
    ['security-events', 'a rare kind', { kind: 'history-mismatch' }],
    ['security-events', 'someone busy, a kind', { person: BUSY, kind: 'read' }],
    ['security-events', 'someone busy, none of a kind', { person: BUSY, kind: 'sign-in' }],
    ['security-events', 'readings of a record', { kind: 'read', record }],
    ...Object.entries(filters).map(([what, query]) => ['changes', what, query] as const),
    ['changes', 'a common model', { model: 'organisations' }],
    ['changes', 'a rare model', { model: 'contacts' }],
    ['changes', 'someone busy, a model', { person: BUSY, model: 'contacts' }],
    ['changes', 'someone quiet, none of a model', { person: IDLE, model: 'contacts' }],
  ].map(([path = '', what = '', query]) => [
    String(path),
    String(what),
    query as Record<string, string>,
  ])
  for (const [path, what, query] of views)
    for (const [when, span] of Object.entries(spans)) {
      const first = await buffersOf(base, path, { ...query, ...span })
      results.push({ what: `${path}: ${what}${when}`, figure: first.buffers, limit: BUFFERS_MAX })
      if (first.next === null) continue
      const later = await buffersOf(base, path, { ...query, ...span, before: first.next })
      results.push({
        what: `${path}: ${what}${when}, older`,
        figure: later.buffers,
        limit: BUFFERS_MAX,
      })
    }
  const counts = await buffersOf(base, 'security-events/counts', {})
  results.push({ what: 'counts of seven days', figure: counts.buffers, limit: BUFFERS_MAX })
}

async function buffersOf(base: string, path: string, query: Record<string, string>) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(ADMIN)}` }
  const url = `${base}/api/${path}?${new URLSearchParams(query)}`
  // The first request of the day also records the sign-in.
  await fetch(url, { headers })
  let worst = 0
  let next: string | null = null
  for (let time = 0; time < REPEATS; time++) {
    const plans = await plansOf({ directory, client }, async () => {
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      next = ((await response.json()) as { next?: string | null }).next ?? null
    })
    if (plans.length === 0) throw new Error('no plan was logged for the request')
    const sum = plans
      .filter((plan) => !isBeside(plan))
      .reduce((all, { buffers }) => all + buffers, 0)
    worst = Math.max(worst, sum)
  }
  return { buffers: worst, next: next as string | null }
}

/** Additional memory of the process while the caller reads at full speed. */
async function measureExports({ base, pid }: { base: string; pid: number }) {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  for (const path of ['security-events', 'changes']) {
    const headers = { authorization: `Bearer ${await keys.tokenOf(ADMIN)}` }
    const cold = rss()
    for (let time = 0; time < WARM_UP; time++)
      await fetch(`${base}/api/${path}`, { headers }).then((answer) => answer.text())
    const before = rss()
    console.log(`${path}: ${Math.round(cold)} MB, warm ${Math.round(before)} MB`)
    let [most, lines] = [before, 0]
    const watching = setInterval(() => (most = Math.max(most, rss())), 50)
    const started = Date.now()
    const response = await fetch(`${base}/api/${path}/export`, { headers })
    for await (const part of response.body ?? []) for (const byte of part) if (byte === 10) lines++
    clearInterval(watching)
    const seconds = (Date.now() - started) / 1000
    console.log(`${path}/export: ${lines} lines in ${seconds.toFixed(0)} s`)
    if (lines < ROWS) throw new Error('the export is incomplete')
    results.push({
      what: `${path}/export: MB of memory`,
      figure: Math.round(most - before),
      limit: MEMORY_MAX_MB,
    })
  }
}

/** As the application's role, which ends a statement after two seconds. */
async function measureComparison() {
  const db = connectDb(postgres.url('gatehouse_app', DATABASE), { max: 1 })
  let longest = 0
  const timed: typeof db = {
    ...db,
    query: async (...statement) => {
      const started = performance.now()
      const rows = await db.query(...statement)
      longest = Math.max(longest, performance.now() - started)
      return rows
    },
  }
  const site = { name: '', url: '', locale: 'en', country: 'IE', currency: 'EUR', timeZone: 'UTC' }
  const engine = buildEngine({
    models: [...models],
    db: timed,
    site: site as never,
    desk: {} as never,
  })
  await client.query('delete from history_checks')
  const started = Date.now()
  await buildHistoryCheck(engine, { runMaxMs: 600_000 }).check('2026-01-01')
  const { rows } = await client.query(
    'select revisions, audit_rows, mismatches from history_checks',
  )
  console.log(`comparison in ${Math.round((Date.now() - started) / 1000)} s:`, rows[0])
  if (rows[0]?.mismatches !== 0)
    throw new Error('the history check reports a mismatch that does not exist')
  results.push({
    what: 'comparison: ms of a statement',
    figure: Math.round(longest),
    limit: STATEMENT_MAX_MS,
  })
  await db.close()
}

function report() {
  const width = Math.max(...results.map(({ what }) => what.length))
  for (const { what, figure, limit } of results)
    console.log(
      `${what.padEnd(width)} ${String(figure).padStart(6)} ${String(limit).padStart(6)}  ${figure > limit ? 'OVER' : 'ok'}`,
    )
  const over = results.filter(({ figure, limit }) => figure > limit)
  console.log(over.length === 0 ? 'logs: ok' : `logs: FAILED, ${over.length} over their limit`)
  if (over.length > 0) process.exitCode = 1
}
