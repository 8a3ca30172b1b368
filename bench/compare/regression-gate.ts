import type { Count } from './count-statements.ts'
import type { Spread } from './median-range.ts'
import { LIMITS } from './table.ts'

/** Counts per request when the baseline was written. */
export type Baseline = Record<string, Count>
export type Counts = Map<string, Count>

/** Noise: a timer's statement, a page of a growing index, digits of a number. */
const SLACK = { statements: 0.05, buffers: 2, bytes: 16 }
/** Share of the count. Bytes: a list's 25 rows are other ones after each seeding; one more field is above 1 %. */
const NOISE = { statements: 0, buffers: 0.06, bytes: 0.002 }

/** One message per difference, including requests missing from the baseline or from the run. */
export const differences = (counts: Counts, baseline: Baseline) => [
  ...[...counts].flatMap(([name, count]) => {
    const before = baseline[name]
    if (!before) return [`${name}: not in the baseline`]
    return (Object.keys(SLACK) as (keyof Count)[])
      .filter((what) => isDifferent(what, count[what], before[what]))
      .map((what) => `${name}: ${round(count[what])} ${what}, ${round(before[what])} before`)
  }),
  ...Object.keys(baseline)
    .filter((name) => !counts.has(name))
    .map((name) => `${name}: in the baseline, but not measured`),
]

/** The number of statements must be equal; fewer buffers and bytes are allowed. */
function isDifferent(what: keyof Count, now: number, before: number) {
  const noise = SLACK[what] + before * NOISE[what]
  return now - before > noise || (what === 'statements' && before - now > noise)
}

export const toBaseline = (counts: Counts): Baseline =>
  Object.fromEntries(
    [...counts].map(([name, { statements, buffers, bytes }]) => [
      name,
      { statements: Math.round(statements), buffers: round(buffers), bytes: Math.round(bytes) },
    ]),
  )

export const overLimit = (ratios: Map<string, Spread>) =>
  [...ratios].flatMap(([name, { median }]) => {
    const [must] = LIMITS[name] ?? []
    return must !== undefined && median > must ? [name] : []
  })

const round = (value: number) => Math.round(value * 100) / 100
