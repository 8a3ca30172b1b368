import type { Meter } from '#platform/db.ts'
import {
  databaseUnavailable,
  overloaded,
  tooManyRequests,
  type HttpError,
} from '#platform/errors.ts'

/** Interactive requests (`person`) first; background work (exact totals) gets a quarter of the slots. */
export type Priority = 'person' | 'background'
export type FairQueue = ReturnType<typeof buildFairQueue>
export type Release = (spent: Meter) => void

type Options = {
  /** One per pool connection: a running request never waits for one. */
  slots: number
  /** Limit per caller; default: a quarter. */
  slotsPerCaller: number | null
  databaseSecondsPerMinute: number
}

/** `isKnown`: its token has been verified. */
export type Origin = {
  /** Widest first. */
  networks: readonly string[]
  isKnown: boolean
}

type AcquireRequest = Origin & {
  caller: string
  priority: Priority
  /** Called when queued, with a function that leaves the queue. */
  onWaiting?: (leave: () => void) => void
}

type Caller = { running: number; waiting: number; budget: Budget }
type Waiting = Origin & {
  caller: Caller
  priority: Priority
  start: (release: Release) => void
  reject: (error: HttpError) => void
}

const WAIT_MS = 5_000
/** Per caller: a page may load many lists concurrently. */
const QUEUE_MAX = 64
/** Requests queued behind other callers', in total and per network; more would wait too long to be useful. */
const WAITING_MAX = 96
const NETWORK_MAX = 64
const RETRY_SECONDS = 5
/** Shared instance: under attack thousands a second are rejected, and a stack trace is a tenth of the cost. */
const OVERLOADED = overloaded()
const CALLERS_MAX = 10_000
/** /48, /56, /64. */
const NETWORK_LEVELS = [0, 1, 2]
/** Radix of the rank; exceeds any number of slots. */
const RANK_BASE = 1_000

/**
 * A semaphore that is fair between networks and callers: each caller has a share of the slots, and a free slot goes to the
 * network with the fewest. Over its budget of database time a caller keeps one slot. Known callers come before others, who
 * keep an eighth of the slots.
 */
export function buildFairQueue({ slots, slotsPerCaller, databaseSecondsPerMinute }: Options) {
  const quarter = Math.floor(slots / 4)
  const share = Math.min(slots, slotsPerCaller ?? Math.max(2, quarter))
  const slotsFor = { person: slots, background: Math.max(1, quarter) }
  const slotsForUnknown = Math.max(1, Math.floor(slots / 8))
  const running = { person: 0, background: 0, unknown: 0 }
  const runningIn = new Map<string, number>()
  const callers = new Map<string, Caller>()
  const queue = new Set<Waiting>()
  const refused = { 'too-many-requests': 0, overloaded: 0, 'database-unavailable': 0 }

  function acquire({ caller: name, onWaiting, ...request }: AcquireRequest): Promise<Release> {
    const caller = callerNamed(name)
    if (canStart(caller, request.priority) && !isQueued(caller, request.priority))
      return Promise.resolve(start({ ...request, caller }))
    return new Promise((resolve, reject) => {
      const error = rejectionFor(caller, request)
      if (error) return reject(count(error))
      const timer = setTimeout(() => {
        leave(waitsForOthers(caller) ? OVERLOADED : callerOverLimit())
      }, WAIT_MS)
      const waiting: Waiting = {
        ...request,
        caller,
        start: (release) => {
          clearTimeout(timer)
          resolve(release)
        },
        reject: (failure) => {
          clearTimeout(timer)
          reject(count(failure))
        },
      }
      const leave = (failure: HttpError) => remove(waiting, failure)
      queue.add(waiting)
      caller.waiting++
      onWaiting?.(() => leave(callerOverLimit()))
    })
  }

  const shareOf = ({ budget }: Caller) => (budget.isSpent() ? 1 : share)
  const waitsForOthers = (caller: Caller) =>
    caller.running === 0 || caller.running < shareOf(caller)
  const canStart = (caller: Caller, priority: Priority) =>
    running.person + running.background < slots &&
    running[priority] < slotsFor[priority] &&
    waitsForOthers(caller)

  const isQueued = (caller: Caller, priority: Priority) =>
    caller.waiting > 0 &&
    [...queue].some((waiting) => waiting.caller === caller && waiting.priority === priority)

  function rejectionFor(caller: Caller, origin: Origin) {
    if (caller.waiting >= QUEUE_MAX) return callerOverLimit()
    return waitsForOthers(caller) && isFull(origin) ? OVERLOADED : null
  }

  /** Whether one more request would wait too long behind other callers'; known callers don't wait for unknown ones. */
  function isFull({ networks, isKnown }: Origin) {
    if (queue.size < NETWORK_MAX) return false
    let inAll = 0
    const near = networks.map(() => 0)
    for (const waiting of queue) {
      if (!waitsForOthers(waiting.caller) || (isKnown && !waiting.isKnown)) continue
      inAll++
      for (const [level, network] of networks.entries())
        if (waiting.networks[level] === network) near[level] = (near[level] ?? 0) + 1
    }
    return inAll >= WAITING_MAX || near.some((waiting) => waiting >= NETWORK_MAX)
  }

  function remove(waiting: Waiting, error: HttpError) {
    if (!queue.delete(waiting)) return
    waiting.caller.waiting--
    waiting.reject(error)
  }

  function start(request: Origin & { caller: Caller; priority: Priority }): Release {
    occupy(request, 1)
    return ({ ms, isDatabaseUnavailable }) => {
      occupy(request, -1)
      request.caller.budget.spend(ms)
      // Otherwise every queued request would run into the same timeout, one after another.
      if (isDatabaseUnavailable) for (const waiting of queue) remove(waiting, databaseUnavailable())
      for (let next = nextWaiting(); next; next = nextWaiting()) {
        queue.delete(next)
        next.caller.waiting--
        next.start(start(next))
      }
    }
  }

  function occupy(
    { caller, networks, isKnown, priority }: Parameters<typeof start>[0],
    change: 1 | -1,
  ) {
    running[priority] += change
    if (!isKnown) running.unknown += change
    caller.running += change
    for (const network of networks) {
      const left = (runningIn.get(network) ?? 0) + change
      if (left > 0) runningIn.set(network, left)
      else runningIn.delete(network)
    }
  }

  function nextWaiting() {
    let best: { waiting: Waiting; rank: number } | null = null
    for (const waiting of queue) {
      if (!canStart(waiting.caller, waiting.priority)) continue
      const rank = rankOf(waiting)
      if (!best || rank < best.rank) best = { waiting, rank }
    }
    return best?.waiting
  }

  /** By priority, then unknown callers beyond their eighth last, then fewest slots of networks and caller; ties by arrival. */
  const rankOf = ({ priority, isKnown, networks, caller }: Waiting) =>
    [
      Number(priority === 'background'),
      Number(!isKnown && running.unknown >= slotsForUnknown),
      // An IPv4 address has one level.
      ...NETWORK_LEVELS.map((level) => runningIn.get(networks[level] ?? networks[0] ?? '') ?? 0),
      caller.running,
    ].reduce((rank, part) => rank * RANK_BASE + part, 0)

  function callerNamed(name: string) {
    const existing = callers.get(name)
    if (existing) return existing
    if (callers.size >= CALLERS_MAX)
      for (const [other, { running: busy, waiting, budget }] of callers)
        if (busy + waiting === 0 && budget.isFull()) callers.delete(other)
    const caller = { running: 0, waiting: 0, budget: buildBudget(databaseSecondsPerMinute) }
    callers.set(name, caller)
    return caller
  }

  function count(error: HttpError) {
    refused[error.code as keyof typeof refused]++
    return error
  }

  return {
    acquire,
    /** Error for a request that would wait too long, checked before authentication; null if it may proceed. */
    shed: (origin: Origin) => (isFull(origin) ? count(OVERLOADED) : null),
    state: () => ({
      taken: running.person + running.background,
      waiting: queue.size,
      max: slots,
      refused,
    }),
  }
}

const callerOverLimit = () => tooManyRequests(RETRY_SECONDS)

/** Burst share of a minute's budget, and the limit of overdraft. */
const BURST_PART = 1 / 3
const MINUTE_MS = 60_000

type Budget = ReturnType<typeof buildBudget>

/** Token bucket of one caller's database time. Can be overdrawn; otherwise it would refill while an expensive statement runs. */
function buildBudget(secondsPerMinute: number) {
  const perMs = (secondsPerMinute * 1_000) / MINUTE_MS
  const burstMs = secondsPerMinute * 1_000 * BURST_PART
  let level = burstMs
  let at = performance.now()
  const refill = () => {
    const now = performance.now()
    level = Math.min(burstMs, level + (now - at) * perMs)
    at = now
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
