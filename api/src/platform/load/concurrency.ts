import { buildBudget, type Budget } from './budget.ts'
import { buildCrowd } from './crowd.ts'
import { countByNetwork } from './network.ts'
import type { Meter } from '#platform/db.ts'
import {
  databaseUnavailable,
  overloaded,
  tooManyRequests,
  type HttpError,
} from '#platform/errors.ts'

/** People first; background work (exact totals) gets a quarter of the slots. */
export type Priority = 'person' | 'background'

export type ConcurrencyLimiter = ReturnType<typeof buildConcurrencyLimiter>

type Options = {
  /** One per pool connection: a running request never waits for one. */
  places: number
  /** Limit per caller; default: a quarter. */
  placesPerCaller: number | null
  databaseSecondsPerMinute: number
}

type Asking = {
  caller: string
  /** Client network: accounts are free, addresses are not. */
  network: string
  priority: Priority
  /** Called when queued, with a function that leaves the queue. */
  onWaiting?: (abandon: () => void) => void
  /** Either is called once, often immediately: callbacks, because every request comes by here. */
  onStarted: (release: Release) => void
  onRefused: (error: HttpError) => void
}

type Started = { caller: Caller; network: string; priority: Priority }
type Release = (spent: Meter) => void
type Waiting = {
  priority: Priority
  network: string
  start: () => void
  refuse: (error: HttpError) => void
}
type Caller = { running: number; waiting: Waiting[]; budget: Budget }

const QUARTER = 4
const SHARE_MIN = 2
/** Long enough for a page that loads many lists in parallel. */
const QUEUE_MS = 5_000
const QUEUE_MAX = 64
const QUEUE_MAX_ALL = 1_024
/** A network with so many more waiting than another gives way to it. With less, equals would push each other out. */
const GIVES_WAY = 8
/** While people are turned away, nobody waits longer than this for others. */
const PATIENCE_MS = 150
const RETRY_SECONDS = 5
const REMEMBERED_MAX = 10_000

/**
 * Concurrency limiter, fair between callers: each has a share of the slots and its own queue. A free slot goes to the network
 * with the fewest, then to its caller with the fewest. Over its budget of database time a caller keeps one slot, so that
 * sequential requests are never refused.
 */
export function buildConcurrencyLimiter(options: Options) {
  const { places, databaseSecondsPerMinute } = options
  const quarter = Math.floor(places / QUARTER)
  const share = Math.min(places, options.placesPerCaller ?? Math.max(SHARE_MIN, quarter))
  const room = { person: places, background: Math.max(1, quarter) }
  const running = { person: 0, background: 0 }
  const refused = { 'too-many-requests': 0, overloaded: 0, 'database-unavailable': 0 }
  const callers = new Map<string, Caller>()
  /** Slots in use, and requests waiting, by network. */
  const taken = countByNetwork()
  const waitingBy = countByNetwork()
  /** Round-robin order. */
  const queue = new Set<Caller>()
  let waitingInAll = 0
  const crowd = buildCrowd({ places, size: crowdSize })

  function acquire(asking: Asking) {
    const { caller: name, network, priority, onStarted, onRefused } = asking
    const caller = callerNamed(name)
    const isNext = !caller.waiting.some((other) => other.priority === priority)
    if (isNext && canStart(caller, priority)) return onStarted(start({ caller, network, priority }))
    if (caller.waiting.length >= QUEUE_MAX) return onRefused(refuse(ownExcess()))
    if (turnsAway(network)) return onRefused(overloaded())
    if (!hasRoom()) makeRoomFor(network)
    wait(caller, asking)
  }

  function wait(caller: Caller, { network, priority, onWaiting, onStarted, onRefused }: Asking) {
    const leaveQueue = () => {
      clearTimeout(timer)
      const place = caller.waiting.indexOf(waiting)
      if (place === -1) return false
      caller.waiting.splice(place, 1)
      if (caller.waiting.length === 0) queue.delete(caller)
      waitingBy.add(network, -1)
      waitingInAll--
      crowd.onLeft()
      return true
    }
    const waiting: Waiting = {
      priority,
      network,
      start: () => {
        leaveQueue()
        const release = start({ caller, network, priority })
        // Not inside the request that makes room: a row of refusals would pile up on its stack.
        queueMicrotask(() => onStarted(release))
      },
      refuse: (error) => {
        if (leaveQueue()) onRefused(refuse(error))
      },
    }
    let timer = setTimeout(() => {
      if (crowd.isTurningAway() && priority === 'person' && isForOthers())
        waiting.refuse(overloaded())
      else timer = setTimeout(giveUp, QUEUE_MS - PATIENCE_MS)
    }, PATIENCE_MS)
    const giveUp = () => waiting.refuse(isForOthers() ? overloaded() : ownExcess())
    const isForOthers = () => caller.running < shareOf(caller)
    caller.waiting.push(waiting)
    queue.add(caller)
    waitingBy.add(network, 1)
    waitingInAll++
    onWaiting?.(() => {
      if (leaveQueue()) onRefused(ownExcess())
    })
  }

  function start({ caller, network, priority }: Started): Release {
    running[priority]++
    caller.running++
    taken.add(network, 1)
    const since = performance.now()
    return (spent) => {
      running[priority]--
      caller.running--
      taken.add(network, -1)
      crowd.onEnded(performance.now() - since)
      caller.budget.spend(spent.ms)
      if (spent.isDatabaseAway) refuseAll()
      startNext()
    }
  }

  /** Otherwise every queued request would run into the same timeout, one after another. */
  const refuseAll = () => {
    for (const { waiting } of queue) while (waiting[0]) waiting[0].refuse(databaseUnavailable())
  }

  function startNext() {
    for (const priority of ['person', 'background'] as const)
      for (let next = nextOf(priority); next; next = nextOf(priority)) {
        // Moves to the end of the round; `start` removes it when nothing of it is queued.
        queue.delete(next.caller)
        queue.add(next.caller)
        next.waiting.start()
      }
  }

  function nextOf(priority: Priority) {
    let least: { caller: Caller; waiting: Waiting } | null = null
    if (isFull(priority)) return least
    for (const caller of queue) {
      const waiting = caller.waiting.find((one) => one.priority === priority)
      if (!waiting || !canStart(caller, priority)) continue
      const next = { caller, waiting }
      if (!least || hasFewer(next, least)) least = next
    }
    return least
  }

  type Candidate = { caller: Caller; waiting: Waiting }
  function hasFewer(one: Candidate, other: Candidate) {
    const difference = taken.of(one.waiting.network) - taken.of(other.waiting.network)
    return difference === 0 ? one.caller.running < other.caller.running : difference < 0
  }

  /** Before anything is spent on a request: whether it is refused, no matter who sent it. Counted if so. */
  function turnsAway(network: string) {
    if (hasRoom() || largerThan(network) !== null) return false
    crowd.onTurnedAway()
    refused.overloaded++
    return true
  }

  /** In a full queue the newest request of the largest network is evicted. */
  function makeRoomFor(network: string) {
    const larger = largerThan(network)
    const all = [...queue].flatMap(({ waiting }) => waiting)
    all.findLast((waiting) => waiting.network === larger)?.refuse(ownExcess())
  }
  const largerThan = (network: string) => waitingBy.largest(waitingBy.of(network) + GIVES_WAY)

  function hasRoom() {
    if (waitingInAll >= QUEUE_MAX_ALL) return false
    return running.person + running.background < places || !crowd.isFull()
  }

  /** Others wait for requests of their own. */
  function crowdSize() {
    let size = 0
    for (const caller of queue)
      size += Math.max(0, Math.min(caller.waiting.length, shareOf(caller) - caller.running))
    return size
  }

  const isFull = (priority: Priority) =>
    running.person + running.background >= places || running[priority] >= room[priority]
  const shareOf = ({ budget }: Caller) => (budget.isSpent() ? 1 : share)
  const canStart = (caller: Caller, priority: Priority) =>
    !isFull(priority) && caller.running < shareOf(caller)

  function callerNamed(name: string) {
    const known = callers.get(name)
    if (known) return known
    if (callers.size >= REMEMBERED_MAX) forgetIdle()
    const caller = { running: 0, waiting: [], budget: buildBudget(databaseSecondsPerMinute) }
    callers.set(name, caller)
    return caller
  }

  function forgetIdle() {
    for (const [name, { running: busy, waiting, budget }] of callers)
      if (busy === 0 && waiting.length === 0 && budget.isFull()) callers.delete(name)
  }

  function refuse(error: HttpError) {
    refused[error.code as keyof typeof refused]++
    return error
  }

  return {
    acquire,
    arrive: crowd.arrive,
    turnsAway,
    /** Slots in use, queued requests, and refusals since start. */
    state: () => ({
      taken: running.person + running.background,
      waiting: waitingInAll,
      max: places,
      refused,
    }),
  }
}

const ownExcess = () => tooManyRequests(RETRY_SECONDS)
