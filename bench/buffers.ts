import { loadavg } from 'node:os'
import pg from 'pg'
import { startApi } from '../ops/drills/kit/api-process.ts'
import { startKeyServer, type Person } from '../ops/drills/kit/key-server.ts'
import { startPostgres } from '../tools/stack/postgres.ts'
import { cursorAt, sortedCursorAt } from './buffers-cursors.ts'
import { DESK } from './buffers-desk.ts'
import { fillOnce, cacheDirectory } from './kept.ts'
import { plansOf, planSettings, showPlans, type Plan } from './plans.ts'
import { ABSENT_WORD, MANAGER, OWNER, RARE_WORD, SOLO } from './seed.ts'

/** Buffers touched by list requests on a million tickets, through the real API. */
const LIMITS = {
  adminPage: 20,
  adminSorted: 50,
  scopedPage: 80,
  search: 500,
  total: 500,
  desk: 500,
  slowSeconds: 2.5,
}
const DEPTHS = [0, 0.1, 0.5, 0.99]
/** PostgreSQL may switch to a generic plan at the sixth execution; the worst run counts. */
const REPEATS = 8
const DATABASE = 'bench'
const ADMIN: Person = { sub: 'bench-admin', name: 'Ada Admin', role: 'admin' }

const directory = cacheDirectory('bench/buffers')
const postgres = await startPostgres({
  directory,
  settings: {
    shared_buffers: '1GB',
    autovacuum: 'off',
    max_wal_size: '4GB',
    ...planSettings(directory),
  },
})
const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
const keys = await startKeyServer()
const results: { what: string; buffers: number; limit: number | null }[] = []
try {
  await fillOnce({ postgres, directory, database: DATABASE })
  await client.connect()
  await showPlans(client)
  // No worker, whose statements would count too. One connection, so that repeats reach the generic plan.
  const api = await startApi({
    env: {
      ...keys.env,
      DATABASE_URL: postgres.url('gatehouse_app', DATABASE),
      DATABASE_POOL: '1',
      WORKER: 'off',
    },
  })
  try {
    await measureDesk(api.base)
    await measure(api.base)
  } finally {
    await api.stop()
  }
} finally {
  await client.end()
  keys.stop()
  await postgres.stop()
}
report()

async function measure(base: string) {
  const people = [
    { who: 'admin', person: ADMIN, limit: LIMITS.adminPage },
    { who: 'owner of 5,000', person: OWNER, limit: LIMITS.scopedPage },
    { who: 'manager of 50,000', person: MANAGER, limit: LIMITS.scopedPage },
    { who: 'manager who wrote 90 %', person: SOLO, limit: LIMITS.scopedPage },
  ]
  await warm(base)
  for (const { who, person, limit } of people) {
    const list = await listOf(base, person)
    const first = await list({})
    for (const depth of DEPTHS) {
      const after =
        depth === 0 ? {} : { after: await cursorAt(client, first.next, { person, depth }) }
      add(`page at ${depth * 100} % as ${who}`, (await list(after)).page, limit)
    }
    const before = { before: await cursorAt(client, first.next, { person, depth: 0.5 }) }
    add(`page before 50 % as ${who}`, (await list(before)).page, limit)
    for (const [kind, q] of [
      ['rare', RARE_WORD],
      ['absent', ABSENT_WORD],
    ] as const)
      add(`${kind} search as ${who}`, (await list({ q })).all, LIMITS.search)
    add(`default total as ${who}`, first.total, LIMITS.total)
    add(`labels of relations of a page as ${who}`, first.labels, null)
  }
  for (const { who, person } of people) {
    const list = await listOf(base, person)
    const limit = person.role === 'admin' ? LIMITS.adminSorted : LIMITS.scopedPage
    for (const sort of (await sortsOf(base, person)).flatMap((field) => [field, `-${field}`]))
      for (const depth of DEPTHS) {
        const after =
          depth === 0 ? {} : { after: await sortedCursorAt(client, sort, { person, depth }) }
        add(
          `by ${sort} at ${depth * 100} % as ${who}`,
          (await list({ sort, ...after })).page,
          limit,
        )
      }
  }
  await measureSlow(base)
}

/** Sorts offered by the person's own definition of tickets. */
async function sortsOf(base: string, person: Person) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  type Definition = {
    path: string
    viewData: { fields: { name: string; sortable?: boolean }[] }
  }
  const definitions = (await (
    await fetch(`${base}/api/models`, { headers })
  ).json()) as Definition[]
  const tickets = definitions.find(({ path }) => path === 'tickets')
  const names = tickets?.viewData.fields.filter(({ sortable }) => sortable).map(({ name }) => name)
  if (!names?.length) throw new Error('nothing to sort by')
  return names
}

/** Twenty absent words in an unindexed field: no plan makes this cheap. */
async function measureSlow(base: string) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(ADMIN)}` }
  const any = Array.from({ length: 20 }, (_, n) => [
    'message',
    'contains',
    `%nobody ${n} wrote_this`,
  ])
  const started = performance.now()
  const response = await fetch(
    `${base}/api/tickets?filter=${encodeURIComponent(JSON.stringify({ any }))}`,
    { headers },
  )
  const seconds = (performance.now() - started) / 1000
  const { code, detail } = (await response.json()) as { code?: string; detail?: string }
  console.log(
    `a list that can’t be cheap: ${response.status} ${code} after ${seconds.toFixed(1)} s: ${detail}`,
  )
  if (code !== 'list-too-slow' || !detail)
    throw new Error('a list that can’t be cheap was not ended')
  add('seconds until a list that can’t be cheap is ended', seconds, LIMITS.slowSeconds)
}

async function measureDesk(base: string) {
  for (const { what, path, sort, all } of DESK) {
    const list = await listOf(base, ADMIN, path)
    const { all: buffers, count } = await list({ sort, filter: JSON.stringify({ all }) })
    add(`desk: ${what} (${count})`, buffers, LIMITS.desk)
  }
}

/** People with few tickets first: a plan cached for them must also suit the others. */
async function warm(base: string) {
  const headers = { authorization: `Bearer ${await keys.tokenOf({ ...OWNER, sub: 'sub-77' })}` }
  for (let time = 0; time < REPEATS; time++) await fetch(`${base}/api/tickets`, { headers })
}

function add(what: string, buffers: number, limit: number | null) {
  results.push({ what, buffers, limit })
}

/** Reads a page several times as someone; the largest figures count. */
async function listOf(base: string, person: Person, path = 'tickets') {
  const headers = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  // The first request of the day also records the sign-in.
  await fetch(`${base}/api/me`, { headers })
  return async (query: Record<string, string>) => {
    const worst = { page: 0, total: 0, labels: 0, all: 0, next: '', count: '' }
    for (let time = 0; time < REPEATS; time++) {
      const plans = await plansOf({ directory, client }, async () => {
        const response = await fetch(`${base}/api/${path}?${new URLSearchParams(query)}`, {
          headers,
        })
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
        const page = (await response.json()) as Page
        if (page.items.length !== 25 && !query['q']) throw new Error('the page is not full')
        worst.next = page.next
        worst.count = `${page.total?.count}${page.total?.exact ? '' : '+'}`
      })
      if (plans.length === 0) throw new Error('no statement was seen')
      const sum = (kind: Kind[]) =>
        plans
          .filter((plan) => kind.includes(kindOf(plan)))
          .reduce((all, plan) => all + plan.buffers, 0)
      worst.page = Math.max(worst.page, sum(['page']))
      worst.total = Math.max(worst.total, sum(['total']))
      worst.labels = Math.max(worst.labels, sum(['labels']))
      worst.all = Math.max(worst.all, sum(['page', 'total']))
    }
    return worst
  }
}

type Page = { items: unknown[]; next: string; total: { count: number; exact: boolean } | null }
type Kind = 'page' | 'total' | 'labels'

/** Everything but totals and labels counts for the page, including resolving the caller. */
function kindOf({ text }: Plan): Kind {
  if (text.includes('count(*)')) return 'total'
  return text.includes(' as label ') ? 'labels' : 'page'
}

function report() {
  const isOver = ({ buffers, limit }: (typeof results)[number]) => limit !== null && buffers > limit
  const width = Math.max(...results.map(({ what }) => what.length))
  for (const row of results)
    console.log(
      [
        row.what.padEnd(width),
        String(row.buffers).padStart(8),
        String(row.limit ?? '-').padStart(6),
        row.limit === null ? 'for information' : isOver(row) ? 'OVER' : 'ok',
      ].join('  '),
    )
  const over = results.filter(isOver)
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} (buffers do not depend on it)`,
  )
  console.log(
    over.length === 0 ? 'buffers: ok' : `buffers: FAILED, ${over.length} over their limit`,
  )
  process.exitCode = over.length === 0 ? 0 : 1
}
