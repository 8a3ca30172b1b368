export type Spread = { median: number; min: number; max: number }

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
  const [low, high] = [at(0.5), sorted[Math.ceil(0.5 * (sorted.length - 1))] ?? Number.NaN]
  return { median: (low + high) / 2, min: at(0), max: at(1) }
}
