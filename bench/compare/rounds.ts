import { setTimeout } from 'node:timers/promises'
import type { Case, Side } from './cases.ts'
import { cleanSearch, IDLE_WAIT_MS } from './count-statements.ts'
import { CALLERS_PER_ROLE } from './callers.ts'
import { sendMany, type BenchEnvironment } from './bench-environment.ts'
import { spreadOf, type Spread } from './median-range.ts'

/** Milliseconds of CPU per request. */
export type Cpu = { node: number; database: number }
/** Medians of the rounds, and ratios to bare Fastify in the same round. */
type Paired = Cpu & { ratio: Spread }
export type Compared = Partial<Record<Side, Paired>>
type Round = Map<Side, Cpu>

const BLOCK = { read: 480, write: 240, peer: 48 }
/** Warm-up requests: V8 compiles hot code, and a real server has run for days. */
const WARMING = { read: 1_000, write: 500, peer: 96 }

/** CPU of all sides in interleaved rounds, with the first side rotating. */
export async function measureCpu(scene: BenchEnvironment, cases: Case[], rounds: number) {
  const found = new Map(cases.map((one) => [one.name, [] as Round[]]))
  const sidesOf = (one: Case) => scene.sides.filter((side) => one[side])
  for (const one of cases)
    for (const side of sidesOf(one))
      await sendMany(scene, one, { side, count: countFor(WARMING, one, side) })
  for (let round = 0; round < rounds; round++)
    for (const one of cases) {
      const sides = sidesOf(one)
      const first = round % sides.length
      const taken: Round = new Map()
      for (const side of [...sides.slice(first), ...sides.slice(0, first)])
        taken.set(side, await measureBlock(scene, one, side))
      found.get(one.name)?.push(taken)
    }
  return new Map([...found].map(([name, taken]) => [name, compare(taken)]))
}

async function measureBlock(environment: BenchEnvironment, one: Case, side: Side): Promise<Cpu> {
  const count = countFor(BLOCK, one, side)
  // Reopens closed connections before measuring.
  await sendMany(environment, one, { side, count: CALLERS_PER_ROLE })
  if (one.isWrite) await cleanSearch(environment)
  const before = environment.cpu(side)
  await sendMany(environment, one, { side, count })
  // Writes after a response must not fall into another side's block.
  if (one.isNoted && side === 'ours') await setTimeout(IDLE_WAIT_MS)
  const after = environment.cpu(side)
  return {
    node: (after.node - before.node) / count,
    database: (after.database - before.database) / count,
  }
}

function countFor(counts: typeof BLOCK, { isWrite }: Case, side: Side) {
  if (side === 'directus') return counts.peer
  return isWrite ? counts.write : counts.read
}

function compare(rounds: Round[]): Compared {
  const sides = [...(rounds[0]?.keys() ?? [])]
  const of = (side: Side, what: (cpu: Cpu) => number) =>
    rounds.map((round) => what(round.get(side) ?? { node: Number.NaN, database: Number.NaN }))
  const bare = of('bare', sum)
  return Object.fromEntries(
    sides.map((side): [Side, Paired] => [
      side,
      {
        node: spreadOf(of(side, ({ node }) => node)).median,
        database: spreadOf(of(side, ({ database }) => database)).median,
        ratio: spreadOf(of(side, sum).map((cpu, round) => cpu / (bare[round] ?? Number.NaN))),
      },
    ]),
  )
}

export const sum = ({ node, database }: Cpu) => node + database
