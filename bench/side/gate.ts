import type { Count } from './count.ts'
import type { Spread } from './spread.ts'

/** What a request cost when the baseline was written. */
type Kept = Count & { ratio: number }
export type Baseline = Record<string, Kept>
/** What it costs now. */
type Cost = { count: Count; ratio: Spread }
export type Costs = Map<string, Cost>

/** How much each may grow before it is red. */
const GROWTH = { statements: 1.15, buffers: 1.15, bytes: 1.15 }
const GROWTH_OF_CPU = 1.4
/** A page of an index more or less is no growth. */
const SLACK = { statements: 0.05, buffers: 1, bytes: 8 }

/** What has grown, one sentence each; a request that the baseline lacks, or that is no longer measured, is red too. */
export const grown = (costs: Costs, baseline: Baseline) => [
  ...[...costs].flatMap(([name, { count }]) => {
    const kept = baseline[name]
    if (!kept) return [`${name}: not in the baseline`]
    return (Object.keys(GROWTH) as (keyof typeof GROWTH)[])
      .filter((what) => count[what] > kept[what] * GROWTH[what] + SLACK[what])
      .map((what) => `${name}: ${round(count[what])} ${what}, ${round(kept[what])} before`)
  }),
  ...Object.keys(baseline)
    .filter((name) => !costs.has(name))
    .map((name) => `${name}: in the baseline, but not measured`),
]

/** Requests whose CPU against the floor has grown. */
export const dearer = (ratios: Map<string, Spread>, baseline: Baseline) =>
  [...ratios]
    .filter(([name, { median }]) => {
      const kept = baseline[name]
      return kept && median > kept.ratio * GROWTH_OF_CPU
    })
    .map(([name]) => name)

/** Red only if it was dearer both times. */
export const sentencesOf = (names: string[], ratios: Map<string, Spread>, baseline: Baseline) =>
  names.map((name) => {
    const { median, min, max } = ratios.get(name) ?? { median: 0, min: 0, max: 0 }
    return `${name}: CPU ${round(median)} × bare [${round(min)}–${round(max)}], ${round(baseline[name]?.ratio ?? 0)} before`
  })

export const toBaseline = (costs: Costs): Baseline =>
  Object.fromEntries(
    [...costs].map(([name, { count, ratio }]) => [
      name,
      {
        statements: round(count.statements),
        buffers: round(count.buffers),
        bytes: Math.round(count.bytes),
        ratio: round(ratio.median),
      },
    ]),
  )

const round = (value: number) => Math.round(value * 100) / 100
