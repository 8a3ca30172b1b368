import { expect, test } from 'vitest'
import { newestOf, readUntil, type Feed, type TimelineEntry } from './feeds.ts'

const entry = (at: number, feed: string): TimelineEntry => ({
  kind: 'message',
  at: `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`,
  key: `${feed}${at}`,
  record: {},
})
/** Pages of a feed, newest first. */
const feedOf = (name: string, [page = [], ...rest]: number[][]): Feed => ({
  entries: page.map((at) => entry(at, name)),
  more: rest.length > 0 ? async () => feedOf(name, rest) : null,
})
const keysOf = (feeds: Feed[], count: number) => newestOf(feeds, count).shown.map(({ key }) => key)

test('entries of two feeds are ordered by time, newest first', () => {
  const feeds = [feedOf('a', [[9, 3]]), feedOf('b', [[7, 1]])]
  expect(keysOf(feeds, 20)).toEqual(['a9', 'b7', 'a3', 'b1'])
  expect(newestOf(feeds, 20).hasMore).toBe(false)
})

test('an entry older than the last one of an unfinished feed is held back', () => {
  const feeds = [
    feedOf('a', [
      [9, 8],
      [6, 5],
    ]),
    feedOf('b', [[7, 1]]),
  ]
  expect(keysOf(feeds, 20)).toEqual(['a9', 'a8'])
  expect(newestOf(feeds, 20).hasMore).toBe(true)
})

test('reading on stops as soon as enough entries are certain', async () => {
  const feeds = [feedOf('a', [[9, 8], [6, 5], [3]]), feedOf('b', [[7, 1]])]
  const read = await readUntil(feeds, 4)
  expect(keysOf(read, 4)).toEqual(['a9', 'a8', 'b7', 'a6'])
  expect(read[0]?.more).not.toBeNull()
})

test('reading to the end yields every entry once', async () => {
  const feeds = [feedOf('a', [[9], [8], [6], [5]]), feedOf('b', [[7], [4], [2]])]
  const read = await readUntil(feeds, 20)
  expect(keysOf(read, 20)).toEqual(['a9', 'a8', 'b7', 'a6', 'a5', 'b4', 'b2'])
  expect(newestOf(read, 20).hasMore).toBe(false)
})
