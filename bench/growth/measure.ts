import { readFileSync, writeFileSync } from 'node:fs'
import { measureLists } from '../buffers/lists.ts'
import { isFailure, toVerdicts, type Found } from './verdict.ts'
import { measurePurge } from './purge.ts'
import { measureReads } from './reads.ts'
import { toSection, type Disk } from './report.ts'
import { atSize, type SizedDatabase } from './sized-database.ts'
import { cachedSizes, type Size } from './sizes.ts'
import { measureWrites } from './writes.ts'

/** `npm run bench -- growth`: measures the same requests at every size, into docs/scaling.md. */
const DOCUMENT = new URL('../../docs/scaling.md', import.meta.url)
const MARKS = ['<!-- measured -->', '<!-- /measured -->'] as const

const started = Date.now()
const kept = cachedSizes('1m')
const sizes: Size[] = ['10k', '1m', ...(kept.includes('10m') ? (['10m'] as const) : [])]
const found = new Map<Size, Found[]>()
const disk = new Map<Size, Disk>()
for (const size of sizes)
  await atSize(size, async (environment) => {
    found.set(size, await measureAll(environment))
    disk.set(size, await diskOf(environment))
  })
const rows = toVerdicts(found)
const seconds = Math.round((Date.now() - started) / 1000)
const section = toSection(rows, { sizes, seconds, disk })
const [before, rest = ''] = readFileSync(DOCUMENT, 'utf8').split(MARKS[0])
const [, after] = rest.split(MARKS[1])
writeFileSync(DOCUMENT, [before, MARKS[0], `\n\n${section}\n\n`, MARKS[1], after].join(''))
console.log(section)

const bad = rows.filter(isFailure)
for (const { what, verdict, at } of bad)
  console.error(
    `${verdict}: ${what}: ${[...at].map(([size, { buffers, fault }]) => `${size} ${fault ?? buffers}`).join(', ')}`,
  )
if (!sizes.includes('10m'))
  console.log('ten million tickets are not cached: npm run bench -- seed 10m, then growth again')
console.log(
  bad.length === 0
    ? `growth: ok at ${sizes.join(', ')}`
    : `growth: FAILED, ${bad.length} of ${rows.length} over their limit, grown or at fault`,
)
process.exitCode = bad.length === 0 ? 0 : 1

async function measureAll(environment: SizedDatabase) {
  const all: Found[] = []
  for await (const one of measureLists(environment)) all.push(one)
  for await (const one of measureReads(environment)) all.push(one)
  for await (const one of measureWrites(environment)) all.push(one)
  all.push(await measurePurge(environment))
  return all
}

async function diskOf({ client }: SizedDatabase) {
  const { rows } = await client.query<Disk>(
    `select sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes,
       pg_relation_size('tickets_search')::float8 as search
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return rows[0] ?? { tables: 0, indexes: 0, search: 0 }
}
