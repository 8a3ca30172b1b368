import { tooManyRequests } from '#platform/errors.ts'

const MINUTE_MS = 60_000

/** Fixed-window request counter per caller and minute, in this process only. */
export function buildRequestCounter(perMinute: number) {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    count(caller: string) {
      const current = Math.floor(Date.now() / MINUTE_MS)
      if (current !== minute) counts = new Map()
      minute = current
      const count = (counts.get(caller) ?? 0) + 1
      counts.set(caller, count)
      if (count <= perMinute) return
      throw tooManyRequests(Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1_000))
    },
  }
}
