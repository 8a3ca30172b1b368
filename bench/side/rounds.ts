import { setTimeout } from 'node:timers/promises'
import type { Case } from './cases.ts'
import { SETTLE_MS } from './count.ts'
import { sendMany, SIDES, type Scene, type Side } from './scene.ts'
import { spreadOf, type Spread } from './spread.ts'

/** Milliseconds of CPU per request. */
export type Cpu = { node: number; database: number }
export type Paired = { ours: Cpu; bare: Cpu; ratio: Spread }

const BLOCK = { read: 240, write: 120 }
/** Rounds that are thrown away, until both are compiled and prepared. */
const WARMING = 2

/** CPU of both sides in interleaved rounds; who comes first takes turns. */
export async function measureCpu(scene: Scene, cases: Case[], rounds: number) {
  const found = new Map(cases.map((one) => [one.name, [] as Record<Side, Cpu>[]]))
  for (let round = -WARMING; round < rounds; round++)
    for (const [place, one] of cases.entries()) {
      const pair = {} as Record<Side, Cpu>
      const sides = (round + place) % 2 === 0 ? SIDES : SIDES.toReversed()
      for (const side of sides) pair[side] = await measureBlock(scene, one, side)
      if (round >= 0) found.get(one.name)?.push(pair)
    }
  return new Map([...found].map(([name, pairs]) => [name, toPaired(pairs)]))
}

async function measureBlock(scene: Scene, one: Case, side: Side): Promise<Cpu> {
  const count = one.isWrite ? BLOCK.write : BLOCK.read
  const before = scene.cpu(side)
  await sendMany(scene, one, { side, count })
  // What is written after the answer must not fall into the other's block.
  if (one.isNoted && side === 'ours') await setTimeout(SETTLE_MS)
  const after = scene.cpu(side)
  return {
    node: (after.node - before.node) / count,
    database: (after.database - before.database) / count,
  }
}

function toPaired(pairs: Record<Side, Cpu>[]): Paired {
  const median = (side: Side): Cpu => ({
    node: spreadOf(pairs.map((pair) => pair[side].node)).median,
    database: spreadOf(pairs.map((pair) => pair[side].database)).median,
  })
  const all = ({ node, database }: Cpu) => node + database
  return {
    ours: median('ours'),
    bare: median('bare'),
    ratio: spreadOf(pairs.map(({ ours, bare }) => all(ours) / all(bare))),
  }
}
