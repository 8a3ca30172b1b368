import { tooManyRequests } from '#platform/errors.ts'

const MINUTE_MS = 60_000
/** A wider IPv6 network has so many times the limit of the next narrower one: it may be one subscriber's, or several. */
const WIDER_FACTOR = 4

/** Fixed-window request counter per caller and minute, in this process only. */
export function buildRequestCounter(perMinute: number) {
  let minute = 0
  let counts = new Map<string, number>()

  function count(caller: string, max: number) {
    const current = Math.floor(Date.now() / MINUTE_MS)
    if (current !== minute) counts = new Map()
    minute = current
    const counted = (counts.get(caller) ?? 0) + 1
    counts.set(caller, counted)
    if (counted <= max) return
    throw tooManyRequests(Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1_000))
  }

  return {
    countAccount: (sub: string) => count(`account ${sub}`, perMinute),
    /** Widest first. */
    countNetworks(networks: readonly string[]) {
      for (const [wider, network] of networks.toReversed().entries())
        count(`network ${network}`, perMinute * WIDER_FACTOR ** wider)
    },
  }
}
