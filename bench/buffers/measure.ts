import { loadavg } from 'node:os'
import { isFailure, toVerdicts, type Found } from '../growth/verdict.ts'
import { atSize } from '../growth/sized-database.ts'
import { isSize, cachedSizes, type Size } from '../growth/sizes.ts'
import { LIMITS, measureLists } from './lists.ts'

/** `npm run bench -- buffers [10k 1m 10m]`: the cached sizes, and always a million. */
const asked = process.argv.slice(3).filter(isSize)
const sizes = asked.length > 0 ? asked : cachedSizes('1m')
const found = new Map<Size, Found[]>()
for (const size of sizes) found.set(size, await measureSize(size))
report()

async function measureSize(size: Size) {
  return atSize(size, async (environment) => {
    const rows: Found[] = []
    for await (const one of measureLists(environment)) {
      rows.push(one)
      if (one.buffers > (one.limit ?? Infinity)) console.log(`${size}: ${one.what}: ${one.buffers}`)
    }
    return rows
  })
}

/** For cases without a limit of buffers. */
function timeOf(at: Map<Size, Found>) {
  return `${Math.round(Math.max(...[...at.values()].map(({ ms }) => ms)))} ms`
}

function report() {
  const rows = toVerdicts(found)
  const width = Math.max(...rows.map(({ what }) => what.length))
  console.log(`${''.padEnd(width)}  ${sizes.map((size) => size.padStart(7)).join('')}  limit`)
  for (const { what, at, limit, verdict } of rows)
    console.log(
      [
        what.padEnd(width),
        sizes.map((size) => String(at.get(size)?.buffers ?? '-').padStart(7)).join(''),
        (limit ?? timeOf(at)).toString().padStart(5),
        verdict,
      ].join('  '),
    )
  const pages = [...found.values()].flat().filter(({ limit }) => limit === LIMITS.page)
  console.log(
    `${rows.length} cases at ${sizes.join(', ')}; dearest page ${Math.max(...pages.map(({ buffers }) => buffers))} buffers; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} (buffers do not depend on it)`,
  )
  const over = rows.filter(isFailure)
  console.log(
    over.length === 0
      ? 'buffers: ok'
      : `buffers: FAILED, ${over.length} of ${rows.length} over their limit or grown`,
  )
  process.exitCode = over.length === 0 ? 0 : 1
}
