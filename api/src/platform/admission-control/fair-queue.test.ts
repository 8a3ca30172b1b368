import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildFairQueue, type Priority } from './fair-queue.ts'
import { HttpError } from '#platform/errors.ts'
import { networksOf } from './client-network.ts'

const QUEUE_MS = 5_000
const QUEUE_MAX = 64
const FREE = { ms: 0, isDatabaseUnavailable: false }
const UNAVAILABLE = { ms: 0, isDatabaseUnavailable: true }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const limiterOf = (options: Partial<Parameters<typeof buildFairQueue>[0]> = {}) =>
  buildFairQueue({
    slots: 8,
    slotsPerCaller: null,
    databaseSecondsPerMinute: 30,
    ...options,
  })

type Limiter = ReturnType<typeof limiterOf>
/** A known caller from its own network unless given as `name@network`; anonymous if its name starts with `unknown`. */
const originOf = (caller: string) => ({
  networks: networksOf(caller.split('@')[1] ?? caller),
  isKnown: !caller.startsWith('unknown'),
})
const acquire = (
  limiter: Limiter,
  caller: string,
  priority: Priority = 'person',
  onWaiting: (leave: () => void) => void = () => {},
) => limiter.acquire({ caller, ...originOf(caller), priority, onWaiting })

const outcome = (pending: ReturnType<typeof acquire>) =>
  pending.then(
    () => 'started',
    (error: unknown) => (error instanceof HttpError ? error.code : error),
  )

/** 'waiting' if it isn't settled within one turn of the event loop. */
const settled = async (pending: ReturnType<typeof acquire>) => {
  const next = new Promise<'waiting'>((resolve) => void setImmediate(() => resolve('waiting')))
  return Promise.race([outcome(pending), next])
}

/** Queues one request per caller; returns the callers in the order they start. */
function startOrder(limiter: Limiter, callers: string[]) {
  const started: string[] = []
  for (const caller of callers)
    void acquire(limiter, caller).then(
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
])('of %i slots one caller gets %i, and others the rest', async (slots, share) => {
  const limiter = limiterOf({ slots })
  for (let request = 0; request < share; request++)
    expect(await settled(acquire(limiter, 'a'))).toBe('started')
  expect(await settled(acquire(limiter, 'a'))).toBe('waiting')
  for (let request = share; request < slots; request++)
    expect(await settled(acquire(limiter, `other ${request}`))).toBe('started')
})

test('a free slot goes to the caller with the fewest, round-robin between equals', async () => {
  const limiter = limiterOf({ slots: 4 })
  const releases = await Promise.all(['a', 'b', 'b', 'c'].map((caller) => acquire(limiter, caller)))
  const started = startOrder(limiter, ['a', 'a', 'a', 'd', 'd', 'e'])
  for (const release of releases) {
    release(FREE)
    await turn()
  }
  expect(started).toEqual(['a', 'd', 'e', 'a'])
})

test('a free slot goes to the network with the fewest, so many accounts of one address count as one', async () => {
  const limiter = limiterOf({ slots: 4 })
  const many = Array.from({ length: 20 }, (_, n) => `account ${n}@shared`)
  const releases = await Promise.all(many.slice(0, 4).map((caller) => acquire(limiter, caller)))
  const started = startOrder(limiter, [...many.slice(4), 'dave'])
  releases[0]?.(FREE)
  await turn()
  expect(started).toEqual(['dave'])
})

test('a queue filled by one network still accepts requests of others', async () => {
  const limiter = limiterOf()
  for (let index = 0; index < 8; index++) void acquire(limiter, `first ${index}@shared`)
  const many = Array.from({ length: 72 }, (_, n) =>
    settled(acquire(limiter, `account ${n}@shared`)),
  )
  const outcomes = Object.groupBy(await Promise.all(many), String)
  expect(outcomes['waiting']).toHaveLength(64)
  expect(outcomes['overloaded']).toHaveLength(8)
  expect(await settled(acquire(limiter, 'dave'))).toBe('waiting')
})

test('new requests are rejected immediately while 96 of many networks are queued', async () => {
  const limiter = limiterOf({ slots: 2 })
  const many = Array.from({ length: 98 }, (_, n) => settled(acquire(limiter, `caller ${n}`)))
  expect(new Set(await Promise.all(many))).toEqual(new Set(['started', 'waiting']))
  expect(limiter.shed(originOf('new'))?.code).toBe('overloaded')
  expect(await settled(acquire(limiter, 'new'))).toBe('overloaded')
  expect(limiter.state().refused).toMatchObject({ overloaded: 2 })
})

test('a known caller is neither rejected for unknown ones nor started after them', async () => {
  const limiter = limiterOf({ slots: 8 })
  const many = Array.from({ length: 120 }, (_, n) => `unknown ${n}`)
  const releases = await Promise.all(many.slice(0, 8).map((caller) => acquire(limiter, caller)))
  const started = startOrder(limiter, many.slice(8))
  await turn()
  expect(limiter.shed(originOf('unknown new'))?.code).toBe('overloaded')
  expect(limiter.shed(originOf('new'))).toBeNull()
  const known = startOrder(limiter, ['known 1', 'known 2', 'known 3'])
  for (const release of releases.slice(0, 3)) release(FREE)
  await turn()
  expect(known).toEqual(['known 1', 'known 2', 'known 3'])
  expect(started).toEqual([])
})

test('unknown callers keep an eighth of the slots while known ones wait', async () => {
  const limiter = limiterOf({ slots: 8 })
  const callers = Array.from({ length: 8 }, (_, n) => `first ${n}`)
  const releases = await Promise.all(callers.map((caller) => acquire(limiter, caller)))
  const started = startOrder(limiter, ['unknown a', 'unknown b', 'known a', 'known b'])
  for (const release of releases.slice(0, 3)) {
    release(FREE)
    await turn()
  }
  expect(started).toEqual(['unknown a', 'known a', 'known b'])
})

test('IPv6 networks of one /48 count as one', async () => {
  const limiter = limiterOf({ slots: 2 })
  const host = (n: number) => `unknown ${n}@2001:db8:1:${n.toString(16)}::1`
  const releases = await Promise.all([0, 1].map((n) => acquire(limiter, host(n))))
  const waiting = Array.from({ length: 70 }, (_, n) => settled(acquire(limiter, host(n + 2))))
  const outcomes = Object.groupBy(await Promise.all(waiting), String)
  expect(outcomes['waiting']).toHaveLength(64)
  expect(outcomes['overloaded']).toHaveLength(6)
  const started = startOrder(limiter, ['unknown elsewhere@2001:db8:2::1'])
  releases[0]?.(FREE)
  await turn()
  expect(started).toEqual(['unknown elsewhere@2001:db8:2::1'])
})

test('a request waiting for its caller’s own share gets too-many-requests after 5 seconds', async () => {
  const limiter = limiterOf()
  await Promise.all([acquire(limiter, 'a'), acquire(limiter, 'a')])
  const waiting = outcome(acquire(limiter, 'a'))
  vi.advanceTimersByTime(QUEUE_MS - 1)
  expect(limiter.state()).toMatchObject({ taken: 2, waiting: 1, max: 8 })
  vi.advanceTimersByTime(1)
  expect(await waiting).toBe('too-many-requests')
  expect(limiter.state()).toMatchObject({ waiting: 0, refused: { 'too-many-requests': 1 } })
})

test('a request waiting because of others gets overloaded after 5 seconds', async () => {
  const limiter = limiterOf({ slots: 2 })
  await Promise.all([acquire(limiter, 'a'), acquire(limiter, 'b')])
  const waiting = outcome(acquire(limiter, 'c'))
  vi.advanceTimersByTime(QUEUE_MS)
  expect(await waiting).toBe('overloaded')
})

test('a full caller queue rejects that caller’s next request immediately, and no other caller’s', async () => {
  const limiter = limiterOf({ slots: 2, slotsPerCaller: 1 })
  await acquire(limiter, 'a')
  startOrder(
    limiter,
    Array.from({ length: QUEUE_MAX }, () => 'a'),
  )
  expect(await settled(acquire(limiter, 'a'))).toBe('too-many-requests')
  expect(await settled(acquire(limiter, 'b'))).toBe('started')
})

test('over its budget of database time a caller has one slot until the budget refills', async () => {
  const limiter = limiterOf()
  const [first, second] = await Promise.all([acquire(limiter, 'a'), acquire(limiter, 'a')])
  // A burst of 10 s, of 30 s a minute.
  first?.({ ms: 12_000, isDatabaseUnavailable: false })
  expect(await settled(acquire(limiter, 'a'))).toBe('waiting')
  second?.(FREE)
  await turn()
  expect(limiter.state()).toMatchObject({ taken: 1, waiting: 0 })
  expect(await settled(acquire(limiter, 'b'))).toBe('started')
  vi.advanceTimersByTime(4_100)
  expect(await settled(acquire(limiter, 'a'))).toBe('started')
})

test('background requests get a quarter of the slots, and run after interactive ones', async () => {
  const limiter = limiterOf({ slots: 4 })
  const release = await acquire(limiter, 'a', 'background')
  expect(await settled(acquire(limiter, 'b', 'background'))).toBe('waiting')
  const releases = await Promise.all(['c', 'd', 'e'].map((caller) => acquire(limiter, caller)))
  const started = startOrder(limiter, ['f'])
  release(FREE)
  await turn()
  expect(started).toEqual(['f'])
  expect(limiter.state().waiting).toBe(1)
  releases[0]?.(FREE)
  expect(limiter.state().waiting).toBe(0)
})

test('queued requests are rejected once the database is down', async () => {
  const limiter = limiterOf({ slots: 2 })
  const [release] = await Promise.all([acquire(limiter, 'a'), acquire(limiter, 'b')])
  const waiting = ['a', 'c', 'd'].map((caller) => outcome(acquire(limiter, caller)))
  release?.(UNAVAILABLE)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['database-unavailable']))
})

test('an aborted request leaves the queue', async () => {
  const limiter = limiterOf({ slots: 1 })
  const release = await acquire(limiter, 'a')
  let leave = () => {}
  const left = outcome(acquire(limiter, 'b', 'person', (abandon) => (leave = abandon)))
  leave()
  await left
  release(FREE)
  expect(limiter.state()).toMatchObject({ taken: 0, waiting: 0 })
})
