import { loadavg } from 'node:os'
import pg from 'pg'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { DATABASE, isSize, keptSizes, openSize, type Size } from '../growth/sizes.ts'
import { planSettings, showPlans } from '../plans.ts'
import { LIMITS, measureLists, type Found } from './lists.ts'

/** `npm run bench -- buffers [10k 1m 10m]`: what is cached, and a million in any case. */
const GROWTH_MAX = 1.3
/** Below this a page more is no growth. */
const GROWTH_MIN_BUFFERS = 20

const asked = process.argv.slice(3).filter(isSize)
const sizes = asked.length > 0 ? asked : keptSizes('1m')
const found = new Map<Size, Found[]>()
for (const size of sizes) found.set(size, await measureSize(size))
report()

async function measureSize(size: Size) {
  const { directory, postgres } = await openSize(size, planSettings)
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  const keys = await startKeyServer()
  try {
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
      const rows: Found[] = []
      for await (const one of measureLists({ base: api.base, client, directory, keys })) {
        rows.push(one)
        if (one.buffers > one.limit) console.log(`${size}: ${one.what}: ${one.buffers}`)
      }
      return rows
    } finally {
      await api.stop()
    }
  } finally {
    await client.end()
    keys.stop()
    await postgres.stop()
  }
}

function report() {
  const names = [...new Set([...found.values()].flat().map(({ what }) => what))]
  const width = Math.max(...names.map((name) => name.length))
  const over: string[] = []
  console.log(`${''.padEnd(width)}  ${sizes.map((size) => size.padStart(7)).join('')}  limit`)
  for (const name of names) {
    const rows = sizes.map((size) => found.get(size)?.find(({ what }) => what === name))
    const limit = rows.find(Boolean)?.limit ?? 0
    const at = (size: Size) => rows[sizes.indexOf(size)]?.buffers ?? 0
    const hasGrown =
      at('10m') > GROWTH_MIN_BUFFERS && at('1m') > 0 && at('10m') > at('1m') * GROWTH_MAX
    const isOver = rows.some((row) => row && row.buffers > limit)
    if (isOver || hasGrown) over.push(name)
    console.log(
      [
        name.padEnd(width),
        rows.map((row) => String(row?.buffers ?? '-').padStart(7)).join(''),
        String(limit).padStart(5),
        isOver ? 'OVER' : hasGrown ? 'GROWN' : 'ok',
      ].join('  '),
    )
  }
  const pages = [...found.values()].flat().filter(({ limit }) => limit === LIMITS.page)
  console.log(
    `${names.length} cases at ${sizes.join(', ')}; dearest page ${Math.max(...pages.map(({ buffers }) => buffers))} buffers; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} (buffers do not depend on it)`,
  )
  console.log(
    over.length === 0
      ? 'buffers: ok'
      : `buffers: FAILED, ${over.length} of ${names.length} over their limit or grown`,
  )
  process.exitCode = over.length === 0 ? 0 : 1
}
