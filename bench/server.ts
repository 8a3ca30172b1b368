import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startKeyServer } from '../ops/drills/kit/key-server.ts'
import { startPostgres } from '../tools/stack/postgres.ts'
import { buildWeb } from '../tools/stack/web.ts'
import { shippedMemory } from './compare/bench-environment.ts'
import { programOf, startCheckout, startProbed, type Api } from './server-checkout.ts'
import { prepare, type Requests } from './server-requests.ts'
import { countUntyped } from './server-source.ts'

/**
 * Measures the API of this checkout and, with `--against FOLDER`, of another: CPU per request, paired as A B B A; idle
 * memory; time until ready; files run per request. `--only cpu|rest|shape` limits it, `--rounds` sets the pairs.
 */
const ROUNDS = 8
const { against, only, rounds } = readArguments()
const BLOCK = { list: 150, record: 300, create: 100, message: 100, reply: 100 }
const WARM_BLOCKS = 8
/** Starts with V8's largest new space, which a busy process would grow to while being measured. */
const GROWN_UP = '--min-semi-space-size=16'
const STARTS = 5
const REST_MS = 30_000
const READY_MAX_MS = 1_500
const KINDS = Object.keys(BLOCK) as (keyof typeof BLOCK)[]
const NO_LIMITS = {
  READS_PER_MINUTE: '100000000',
  WRITES_PER_MINUTE: '100000000',
  CREATIONS_PER_MINUTE: '100000000',
  PLACES_PER_CALLER: '1000',
  DATABASE_SECONDS_PER_MINUTE: '100000000',
}

const checkouts = [
  ...(against ? [{ name: 'before', root: resolve(against) }] : []),
  { name: 'now', root: join(import.meta.dirname, '..') },
]
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const postgres = await startPostgres({ directory })
const keys = await startKeyServer()
try {
  for (const { name } of checkouts) await postgres.createDatabase(name)
  for (const [part, run] of Object.entries({ shape, rest, cpu }))
    if (!only || only === part) await run()
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
} finally {
  keys.stop()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function shape() {
  for (const { name, root } of checkouts) {
    const { accesses, settings, records } = countUntyped(root)
    console.log(
      `${name}: ['…'] ${accesses} (${settings} of them settings), Record<string, unknown> ${records}`,
    )
    const api = await startProbed(root, envOf(name, { WORKER: 'off' }))
    const requests = await prepare(api.base, keys)
    await warm(requests, 1)
    const { addresses, routes } = await api.ask<{ addresses: number; routes: number }>('routes')
    console.log(`${name}: ${addresses} paths, ${routes} routes`)
    for (const kind of KINDS) {
      const files = await filesRun(api, { root, run: () => requests[kind](1) })
      console.log(`${name}: ${kind} runs ${files.length} of our files: ${files.join(' ')}`)
    }
    await api.stop()
  }
}

async function filesRun(api: Api, { root, run }: { root: string; run: () => Promise<void> }) {
  await api.ask('start')
  await run()
  const urls = await api.ask<string[]>('take')
  return urls
    .flatMap((url) => url.split(`file://${root}/`)[1] ?? [])
    .filter((file) => /^(api|model)\/src\//.test(file))
    .toSorted()
}

/** Runs with its worker, as shipped, and with 5,000 articles and the pages of 100 services to write. */
async function rest() {
  await buildWeb(directory)
  for (const { name, root } of checkouts) {
    const env = envOf(name)
    const args = [await programOf(root)]
    // The first start creates the tables.
    await (await startCheckout({ root, args, env })).stop()
    await publishRecords(postgres.url('gatehouse_migrate', name))
    const start = (pages: string) =>
      startCheckout({
        root,
        args,
        env: { ...withoutMigration(env), ...shippedMemory(), PAGES_DIR: join(directory, pages) },
      })
    const first = []
    for (let time = 0; time < STARTS; time++) {
      const api = await start(`${name}-${time}`)
      first.push(api)
      await api.stop()
    }
    const starts = []
    for (let time = 0; time < STARTS; time++) {
      const api = await start(`${name}-0`)
      starts.push(api)
      if (time < STARTS - 1) await api.stop()
    }
    const api = starts.at(-1)
    if (!api) return
    console.log(
      `${name}: first start of a build, all pages written: ready after ${spread(first.map(({ readyMs }) => readyMs))} ms (must: ${READY_MAX_MS})`,
    )
    await setTimeout(REST_MS)
    const before = api.memory()
    await warm(await prepare(api.base, keys))
    await setTimeout(REST_MS)
    console.log(
      `${name}: ready after ${spread(starts.map(({ readyMs }) => readyMs))} ms (${spread(starts.map(({ readyCpuMs }) => readyCpuMs))} ms of CPU), ` +
        `idle ${before}, after some thousand requests ${api.memory()}`,
    )
    await api.stop()
  }
}

async function publishRecords(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into services (id, name, slug, category, summary, description, published)
    select gen_random_uuid(), 'Service ' || n, 'service-' || n, 'Managed IT', 'What it is for.', repeat('Every night. ', 100), true
    from generate_series(1, 100) n`)
  await client.query(`
    insert into articles (id, title, slug, kind, summary, body, service, published, published_at)
    select gen_random_uuid(), 'Article ' || n, 'article-' || n, 'Guide', 'What it says.', repeat('A sentence. ', 200),
      (select id from services where slug = 'service-' || (n % 100 + 1)), true, now()
    from generate_series(1, 5000) n`)
  await client.end()
}

/** Runs without a worker, whose CPU is not the request's. */
async function cpu() {
  const sides = await Promise.all(
    checkouts.map(async ({ name, root }) => {
      const api = await startCheckout({
        root,
        args: [GROWN_UP, await programOf(root)],
        env: envOf(name, { WORKER: 'off' }),
      })
      return { name, api, requests: await prepare(api.base, keys) }
    }),
  )
  for (const { requests } of sides) await warm(requests)
  const order = [...sides, ...sides.toReversed()]
  for (const kind of KINDS) {
    const found = new Map(sides.map(({ name }) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round++) {
      const sums = new Map(sides.map(({ name }) => [name, 0]))
      for (const { name, api, requests } of order) {
        const before = api.cpuMs()
        await requests[kind](BLOCK[kind])
        sums.set(name, (sums.get(name) ?? 0) + api.cpuMs() - before)
      }
      for (const [name, sum] of sums) found.get(name)?.push(sum / (2 * BLOCK[kind]))
    }
    tellCpu(kind, [...found])
  }
  await Promise.all(sides.map(({ api }) => api.stop()))
}

function tellCpu(kind: string, found: [string, number[]][]) {
  const [first, second] = found
  const each = found.map(([name, times]) => `${name} ${spread(times, 2)} ms`).join(', ')
  const ratios = second?.[1].map((time, round) => time / (first?.[1][round] ?? Number.NaN))
  console.log(`CPU of ${kind}: ${each}${ratios ? `, paired ${spread(ratios, 2)}` : ''}`)
}

async function warm(requests: Requests, blocks = WARM_BLOCKS) {
  for (let block = 0; block < blocks; block++)
    for (const kind of KINDS) await requests[kind](BLOCK[kind])
}

function spread(values: number[], digits = 0) {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = 0, median = 0, high = 0] = [0, 0.5, 1].map(
    (part) => sorted[Math.round(part * (sorted.length - 1))],
  )
  return `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`
}

function envOf(database: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    ...NO_LIMITS,
    ...keys.env,
    DATABASE_URL: postgres.url('gatehouse_app', database),
    DATABASE_MIGRATION_URL: postgres.url('gatehouse_migrate', database),
    ...more,
  }
}

/** Migrates in a separate step, as on a server. */
function withoutMigration({ DATABASE_MIGRATION_URL: _url, ...env }: NodeJS.ProcessEnv) {
  return env
}

function readArguments() {
  const valueOf = (name: string) => {
    const index = process.argv.indexOf(name)
    return index === -1 ? null : (process.argv[index + 1] ?? null)
  }
  return {
    against: valueOf('--against'),
    only: valueOf('--only'),
    rounds: Number(valueOf('--rounds') ?? ROUNDS),
  }
}
