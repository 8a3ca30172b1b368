import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HttpError } from './errors.ts'
import { buildGate, type Priority } from './limits.ts'

const outcome = (entering: Promise<() => void>) =>
  entering.then(
    () => 'inside',
    (error: unknown) => (error instanceof HttpError ? error.code : error),
  )

/** Waits for whatever is already decided. */
const settled = async <T>(promise: Promise<T>) =>
  Promise.race([promise, setTimeout(0).then(() => 'waiting' as const)])

test('as many as there is room for are let in at once', async () => {
  const enter = buildGate(3)
  for (let guest = 0; guest < 3; guest++)
    expect(await settled(outcome(enter('person')))).toBe('inside')
  expect(await settled(outcome(enter('person')))).toBe('waiting')
})

test('one too many waits for a place, and gets it in the order of arrival', async () => {
  const enter = buildGate(3)
  const [leave] = await Promise.all([enter('person'), enter('person'), enter('person')])
  const order: number[] = []
  const guests = [1, 2, 3].map(async (guest) => {
    const leaveAgain = await enter('person')
    order.push(guest)
    leaveAgain()
  })
  expect(order).toEqual([])
  leave()
  await Promise.all(guests)
  expect(order).toEqual([1, 2, 3])
})

test('whoever waits longer than a moment is told to come back, and its place in the queue is free', async () => {
  const enter = buildGate(1)
  const leave = await enter('person')
  const started = performance.now()
  expect(await outcome(enter('person'))).toBe('overloaded')
  const waited = performance.now() - started
  expect(waited).toBeGreaterThan(240)
  expect(waited).toBeLessThan(1_500)
  leave()
  expect(await settled(outcome(enter('person')))).toBe('inside')
})

test('a full queue sheds at once', async () => {
  const enter = buildGate(2)
  await Promise.all([enter('person'), enter('person')])
  const waiting = [outcome(enter('person')), outcome(enter('person'))]
  expect(await settled(outcome(enter('person')))).toBe('overloaded')
  // The queues are two: what can wait fills its own.
  expect(await settled(outcome(enter('background')))).toBe('waiting')
  await Promise.all(waiting)
})

test.each<[maximum: number, share: number]>([
  [8, 2],
  [64, 16],
  [1, 1],
])('of %i places what can wait gets %i, and people get the rest', async (maximum, share) => {
  const enter = buildGate(maximum)
  const places: Priority[] = Array.from({ length: share }, () => 'background')
  for (const place of places) expect(await settled(outcome(enter(place)))).toBe('inside')
  expect(await settled(outcome(enter('background')))).toBe('waiting')
  for (let guest = share; guest < maximum; guest++)
    expect(await settled(outcome(enter('person')))).toBe('inside')
  expect(await settled(outcome(enter('person')))).toBe('waiting')
})

test('a place that comes free goes to a person first, and to the background only while there is much room', async () => {
  const enter = buildGate(4)
  const leaves = await Promise.all([0, 1, 2, 3].map(() => enter('person')))
  const entered: Priority[] = []
  const note = (priority: Priority) => () => void entered.push(priority)
  const all = [enter('background').then(note('background')), enter('person').then(note('person'))]
  leaves[0]?.()
  await setTimeout(10)
  expect(entered).toEqual(['person'])
  leaves[1]?.()
  leaves[2]?.()
  await setTimeout(10)
  expect(entered).toEqual(['person'])
  leaves[3]?.()
  // One person is still inside, so the background's share of one is taken.
  expect(await Promise.allSettled(all)).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled' },
  ])
})
