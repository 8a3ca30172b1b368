import { setTimeout } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { CALLERS_PER_ROLE } from './callers.ts'
import { countStatements, sendMany, type BenchEnvironment } from './bench-environment.ts'

/** Writes after a response follow within a second. */
export const IDLE_WAIT_MS = 1_200
const SHORTLY_MS = 50
const REQUESTS = 4 * CALLERS_PER_ROLE
/** Sent first: the first request of a day records the sign-in, and each read of a ticket is recorded once. */
const BEFORE = 6 * CALLERS_PER_ROLE

/** Per request. */
export type Count = { statements: number; buffers: number; bytes: number }
export type Counted = Record<'ours' | 'bare', Count>

/** Statements, buffers and bytes of a request; begin and commit are not counted. */
export async function countCase(scene: BenchEnvironment, one: Case): Promise<Counted> {
  const counted = {} as Counted
  for (const side of ['ours', 'bare'] as const) {
    const { from } = await sendMany(scene, one, { side, count: BEFORE })
    const pause = () => setTimeout(one.isNoted && side === 'ours' ? IDLE_WAIT_MS : SHORTLY_MS)
    await pause()
    await cleanSearch(scene)
    await scene.client.query('select pg_stat_statements_reset()')
    // The rows of the requests before. A row's first update moves it from the page that the seeding filled, and enters it
    // in every index again; how many rows have that before them differs after each seeding.
    const { bytes } = await sendMany(scene, one, { side, count: REQUESTS, from })
    await pause()
    counted[side] = { ...(await readCounts(scene)), bytes: bytes / REQUESTS }
  }
  return counted
}

async function readCounts({ client }: BenchEnvironment) {
  const { rows } = await client.query<{ calls: number; buffers: number }>(
    `select coalesce(sum(calls), 0)::float8 as calls, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers
     from pg_stat_statements where userid = 'gatehouse_app'::regrole and query !~* '^(begin|commit|rollback)'`,
  )
  const [{ calls, buffers } = { calls: 0, buffers: 0 }] = rows
  return { statements: calls / REQUESTS, buffers: buffers / REQUESTS }
}

/** The worker does this every minute; otherwise one request in a few hundred would include it. */
export const cleanSearch = ({ client }: BenchEnvironment) => client.query('select clean_search()')

export async function counting<T>({ client }: BenchEnvironment, run: () => Promise<T>) {
  await countStatements(client, true)
  try {
    return await run()
  } finally {
    await countStatements(client, false)
  }
}
