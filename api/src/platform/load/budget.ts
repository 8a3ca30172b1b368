/** Burst share of a minute's budget, and the limit of overdraft. */
const BURST_PART = 1 / 3
const MINUTE_MS = 60_000

export type Budget = ReturnType<typeof buildBudget>

/** Token bucket of one caller's database time. Can be overdrawn, or it would refill while an expensive statement runs. */
export function buildBudget(secondsPerMinute: number, now = () => performance.now()) {
  const perMs = (secondsPerMinute * 1_000) / MINUTE_MS
  const burstMs = secondsPerMinute * 1_000 * BURST_PART
  let level = burstMs
  let at = now()
  const refill = () => {
    level = Math.min(burstMs, level + (now() - at) * perMs)
    at = now()
    return level
  }
  return {
    spend: (ms: number) => {
      level = Math.max(-burstMs, refill() - ms)
    },
    isSpent: () => refill() < 0,
    isFull: () => refill() === burstMs,
  }
}
