import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildConcurrencyLimiter, type Priority } from './concurrency.ts'
import { HttpError } from '#platform/errors.ts'

const QUEUE_MS = 5_000
const QUEUE_MAX = 64
const FREE = { ms: 0, isDatabaseAway: false }
const AWAY = { ms: 0, isDatabaseAway: true }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const limiterOf = (options: Partial<Parameters<typeof buildConcurrencyLimiter>[0]> = {}) =>
  buildConcurrencyLimiter({
    places: 8,
    placesPerCaller: null,
    databaseSecondsPerMinute: 30,
    ...options,
  })

type Limiter = ReturnType<typeof limiterOf>
/** From its own network unless given as `name@network`. */
const ask = (
  limiter: Limiter,
  caller: string,
  priority: Priority = 'person',
  onWaiting?: (abandon: () => void) => void,
) =>
  new Promise<(spent: typeof FREE) => void>((onStarted, onRefused) => {
    const network = caller.split('@')[1] ?? caller
    const waiting = onWaiting ? { onWaiting } : {}
    limiter.acquire({ caller, network, priority, onStarted, onRefused, ...waiting })
  })

const outcome = (asking: ReturnType<typeof ask>) =>
  asking.then(
    () => 'started',
    (error: unknown) => (error instanceof HttpError ? error.code : error),
  )

/** Flushes settled promises. */
const settled = async (asking: ReturnType<typeof ask>) => {
  const next = new Promise<'waiting'>((resolve) => void setImmediate(() => resolve('waiting')))
  return Promise.race([outcome(asking), next])
}

/** Callers in the order they start; each releases its slot on demand. */
function note(limiter: Limiter, callers: string[]) {
  const started: string[] = []
  for (const caller of callers)
    void ask(limiter, caller).then(
      () => started.push(caller),
      () => {},
    )
  return started
}
const turn = () => new Promise((resolve) => void setImmediate(resolve))

test.each([
  [8, 2],
  [10, 2],
  [40, 10],
  [3, 2],
])('of %i places one caller gets %i, and others the rest', async (places, share) => {
  const limiter = limiterOf({ places })
  for (let request = 0; request < share; request++)
    expect(await settled(ask(limiter, 'a'))).toBe('started')
  expect(await settled(ask(limiter, 'a'))).toBe('waiting')
  for (let request = share; request < places; request++)
    expect(await settled(ask(limiter, `other ${request}`))).toBe('started')
})

test('a free slot goes to the caller with the fewest, round-robin between equals', async () => {
  const limiter = limiterOf({ places: 4 })
  const releases = await Promise.all(['a', 'b', 'b', 'c'].map((caller) => ask(limiter, caller)))
  const started = note(limiter, ['a', 'a', 'a', 'd', 'd', 'e'])
  for (const release of releases) {
    release(FREE)
    await turn()
  }
  expect(started).toEqual(['a', 'd', 'e', 'a'])
})

test('a free slot goes to the network with the fewest: many accounts of one address count as one', async () => {
  const limiter = limiterOf({ places: 4 })
  const crowd = Array.from({ length: 20 }, (_, n) => `account ${n}@crowd`)
  const releases = await Promise.all(crowd.slice(0, 4).map((caller) => ask(limiter, caller)))
  const started = note(limiter, [...crowd.slice(4), 'dave'])
  releases[0]?.(FREE)
  await turn()
  expect(started).toEqual(['dave'])
})

test('a queue filled by one network still has room for others', async () => {
  const limiter = limiterOf()
  const crowd = Array.from({ length: 17 }, (_, n) => `account ${n}@crowd`)
  for (let place = 0; place < 8; place++) void ask(limiter, `first ${place}@crowd`)
  const waiting = crowd.flatMap((caller) =>
    Array.from({ length: 61 }, () => settled(ask(limiter, caller))),
  )
  const answers = Object.groupBy(await Promise.all(waiting), String)
  expect(answers['waiting']).toHaveLength(1_024)
  expect(answers['overloaded']).toHaveLength(17 * 61 - 1_024)
  expect(await settled(ask(limiter, 'dave'))).toBe('waiting')
  expect(limiter.state()).toMatchObject({ waiting: 1_024, refused: { 'too-many-requests': 1 } })
})

test('a request waiting for its caller’s own share gets too-many-requests after 5 seconds', async () => {
  const limiter = limiterOf()
  await Promise.all([ask(limiter, 'a'), ask(limiter, 'a')])
  const waiting = outcome(ask(limiter, 'a'))
  vi.advanceTimersByTime(QUEUE_MS - 1)
  expect(limiter.state()).toMatchObject({ taken: 2, waiting: 1, max: 8 })
  vi.advanceTimersByTime(1)
  expect(await waiting).toBe('too-many-requests')
  expect(limiter.state()).toMatchObject({ waiting: 0, refused: { 'too-many-requests': 1 } })
})

test('a request waiting because of others gets overloaded after 5 seconds', async () => {
  const limiter = limiterOf({ places: 2 })
  await Promise.all([ask(limiter, 'a'), ask(limiter, 'b')])
  const waiting = outcome(ask(limiter, 'c'))
  vi.advanceTimersByTime(QUEUE_MS)
  expect(await waiting).toBe('overloaded')
})

test('a caller’s full queue refuses only that caller’s next request, immediately', async () => {
  const limiter = limiterOf({ places: 2, placesPerCaller: 1 })
  await ask(limiter, 'a')
  note(
    limiter,
    Array.from({ length: QUEUE_MAX }, () => 'a'),
  )
  expect(await settled(ask(limiter, 'a'))).toBe('too-many-requests')
  expect(await settled(ask(limiter, 'b'))).toBe('started')
})

test('over its budget of database time a caller has one slot until the budget refills', async () => {
  const limiter = limiterOf()
  const [first, second] = await Promise.all([ask(limiter, 'a'), ask(limiter, 'a')])
  // A burst of 10 s, of 30 s a minute.
  first?.({ ms: 12_000, isDatabaseAway: false })
  expect(await settled(ask(limiter, 'a'))).toBe('waiting')
  second?.(FREE)
  await turn()
  expect(limiter.state()).toMatchObject({ taken: 1, waiting: 0 })
  expect(await settled(ask(limiter, 'b'))).toBe('started')
  vi.advanceTimersByTime(4_100)
  expect(await settled(ask(limiter, 'a'))).toBe('started')
})

test('background requests get a quarter of the slots, and run after people’s', async () => {
  const limiter = limiterOf({ places: 4 })
  const release = await ask(limiter, 'a', 'background')
  expect(await settled(ask(limiter, 'b', 'background'))).toBe('waiting')
  const releases = await Promise.all(['c', 'd', 'e'].map((caller) => ask(limiter, caller)))
  const started = note(limiter, ['f'])
  release(FREE)
  await turn()
  expect(started).toEqual(['f'])
  expect(limiter.state().waiting).toBe(1)
  releases[0]?.(FREE)
  expect(limiter.state().waiting).toBe(0)
})

test('once the database is down nobody queues for it', async () => {
  const limiter = limiterOf({ places: 2 })
  const [release] = await Promise.all([ask(limiter, 'a'), ask(limiter, 'b')])
  const waiting = ['a', 'c', 'd'].map((caller) => outcome(ask(limiter, caller)))
  release?.(AWAY)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['database-unavailable']))
})

test('an aborted request leaves the queue', async () => {
  const limiter = limiterOf({ places: 1 })
  const release = await ask(limiter, 'a')
  let leave = () => {}
  const left = outcome(ask(limiter, 'b', 'person', (abandon) => (leave = abandon)))
  leave()
  await left
  release(FREE)
  expect(limiter.state()).toMatchObject({ taken: 0, waiting: 0 })
})

/** Both places taken by requests that take 50 ms, and as many others waiting as are let in. */
async function crowded(networkOf: (place: number) => string) {
  const limiter = limiterOf({ places: 2 })
  const first = await ask(limiter, 'first')
  vi.advanceTimersByTime(50)
  first(FREE)
  await Promise.all([ask(limiter, 'a'), ask(limiter, 'b')])
  const waiting = Array.from({ length: QUEUE_MAX }, (_, place) =>
    outcome(ask(limiter, `caller ${place}@${networkOf(place)}`)),
  )
  return { limiter, waiting }
}

test('a crowd that would wait too long lets nobody in; who waits in it is refused after 150 ms', async () => {
  const { limiter, waiting } = await crowded((place) => `network ${place}`)
  expect(limiter.turnsAway('new')).toBe(true)
  expect(await settled(ask(limiter, 'new'))).toBe('overloaded')
  expect(limiter.state()).toMatchObject({ waiting: QUEUE_MAX, refused: { overloaded: 2 } })
  vi.advanceTimersByTime(149)
  expect(limiter.state()).toMatchObject({ waiting: QUEUE_MAX })
  vi.advanceTimersByTime(1)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['overloaded']))
  expect(limiter.state()).toMatchObject({ taken: 2, waiting: 0 })
  expect(limiter.turnsAway('new')).toBe(false)
})

test('while newcomers are turned away half as many may wait, until nobody was for a second', async () => {
  const limiter = limiterOf({ places: 2 })
  const first = await ask(limiter, 'first')
  vi.advanceTimersByTime(50)
  first(FREE)
  await Promise.all([ask(limiter, 'a'), ask(limiter, 'b')])
  const leaving: (() => void)[] = []
  const wait = (caller: string) =>
    void outcome(ask(limiter, caller, 'person', (abandon) => leaving.push(abandon)))
  for (let place = 0; place < QUEUE_MAX; place++) wait(`caller ${place}`)
  expect(limiter.turnsAway('new')).toBe(true)
  for (const leave of leaving.splice(0, QUEUE_MAX / 2)) leave()
  expect(limiter.turnsAway('new')).toBe(true)
  for (const leave of leaving.splice(0, 1)) leave()
  expect(limiter.turnsAway('new')).toBe(false)
  for (const leave of leaving.splice(0)) leave()
  vi.advanceTimersByTime(1_000)
  for (let place = 0; place < QUEUE_MAX - 1; place++) wait(`later ${place}`)
  expect(limiter.turnsAway('new')).toBe(false)
})

test('nobody is refused early while nobody is turned away', async () => {
  const { limiter, waiting } = await crowded((place) => `network ${place}`)
  vi.advanceTimersByTime(QUEUE_MS - 1)
  expect(limiter.state()).toMatchObject({ waiting: QUEUE_MAX, refused: { overloaded: 0 } })
  vi.advanceTimersByTime(1)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['overloaded']))
})

test('a crowd of one network has room for others', async () => {
  const { limiter } = await crowded(() => 'crowd')
  expect(limiter.turnsAway('crowd')).toBe(true)
  expect(limiter.turnsAway('new')).toBe(false)
  expect(await settled(ask(limiter, 'new'))).toBe('waiting')
})

test.each([
  ['8 networks with 8 waiting each', 8, true],
  ['7 networks with 9 each, and one alone', 9, false],
])('a newcomer to a crowd of %s', async (_, each, isTurnedAway) => {
  const { limiter } = await crowded((place) => `network ${Math.floor(place / each)}`)
  expect(limiter.turnsAway('new')).toBe(isTurnedAway)
  expect(await settled(ask(limiter, 'new'))).toBe(isTurnedAway ? 'overloaded' : 'waiting')
  expect(limiter.state()).toMatchObject({
    waiting: QUEUE_MAX,
    refused: { overloaded: isTurnedAway ? 2 : 0, 'too-many-requests': isTurnedAway ? 0 : 1 },
  })
})

test('who waits for its own requests is no crowd', async () => {
  const limiter = limiterOf({ places: 4, placesPerCaller: 1 })
  const first = await ask(limiter, 'first')
  vi.advanceTimersByTime(50)
  first(FREE)
  for (const caller of ['a', 'b', 'c', 'd'])
    void Array.from({ length: 1 + QUEUE_MAX / 2 }, () => outcome(ask(limiter, caller)))
  expect(limiter.state()).toMatchObject({ taken: 4, waiting: 2 * QUEUE_MAX })
  expect(limiter.turnsAway('new')).toBe(false)
})

test('while newcomers are turned away, who is on the way to the queue counts as if in it', async () => {
  const { limiter } = await crowded((place) => `network ${place}`)
  const onTheWay = Array.from({ length: QUEUE_MAX / 2 }, () => limiter.arrive())
  expect(limiter.turnsAway('new')).toBe(true)
  vi.advanceTimersByTime(150)
  expect(limiter.state()).toMatchObject({ waiting: 0 })
  expect(limiter.turnsAway('new')).toBe(true)
  onTheWay[0]?.()
  onTheWay[0]?.()
  expect(limiter.turnsAway('new')).toBe(false)
})
