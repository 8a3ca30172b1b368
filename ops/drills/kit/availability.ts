import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 50

/**
 * Asks again and again until stopped. Unavailable is the longest time from the last right response before a wrong one to the
 * first right one after it.
 */
export function measureAvailability(ask: () => Promise<{ status: number }>) {
  let isEnding = false
  let asked = 0
  let failed = 0
  let longestMs = 0
  const statuses = new Map<number, number>()
  const run = async () => {
    let lastRight = Date.now()
    let hasFailed = false
    while (!isEnding || hasFailed) {
      const { status } = await ask().catch(() => ({ status: 0 }))
      asked++
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        if (hasFailed) longestMs = Math.max(longestMs, Date.now() - lastRight)
        lastRight = Date.now()
        hasFailed = false
      } else {
        failed++
        hasFailed = true
        if (isEnding) break
      }
      await setTimeout(PAUSE_MS)
    }
  }
  const running = run()
  return {
    end: async () => {
      isEnding = true
      await running
      const text = [...statuses]
        .map(([status, count]) => `${status || 'none'}: ${count}`)
        .join(', ')
      return { asked, failed, seconds: longestMs / 1000, text }
    },
  }
}
