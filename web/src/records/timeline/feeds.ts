import { callApi } from '#data/client.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import type { Timeline } from '#data/presentation.ts'
import { rowsOf, type RecordData } from '#data/records.ts'
import { loadHistoryPage, type HistoryEntry } from './load-history.ts'

export type TimelineEntry = { at: string; key: string } & (
  { kind: 'change'; step: HistoryEntry } | { kind: 'message'; record: RecordData }
)

/** One source of entries, newest first; `more` loads its next page, null at its end. */
export type Feed = { entries: TimelineEntry[]; more: (() => Promise<Feed>) | null }

type FeedSource = { definition: Definition; id: string; signal?: AbortSignal }

const MESSAGES_PAGE = 20

/** The record's history, and its messages if it has any. */
export const openFeeds = (source: FeedSource, timeline: Timeline | null): Promise<Feed[]> =>
  Promise.all([
    readChanges(source, null),
    ...(timeline ? [readMessages(source, timeline, null)] : []),
  ])

async function readChanges(
  { definition, id, signal }: FeedSource,
  before: number | null,
): Promise<Feed> {
  const { items, next } = await loadHistoryPage(definition, id, {
    before,
    isNamed: ({ action }) => action === 'update',
    ...(signal ? { signal } : {}),
  })
  return {
    entries: items.map((step) => ({
      kind: 'change',
      at: step.at,
      key: `change ${step.version}`,
      step,
    })),
    more: next === null ? null : () => readChanges({ definition, id }, next),
  }
}

async function readMessages(
  { id, signal, definition }: FeedSource,
  timeline: Timeline,
  after: string | null,
): Promise<Feed> {
  const query = new URLSearchParams({
    filter: JSON.stringify({ all: [[timeline.by, 'eq', id]] }),
    limit: String(MESSAGES_PAGE),
    total: 'none',
    ...(after ? { after } : {}),
  })
  // Clients get no definition of a model that isn't in the menu.
  const { routeName = timeline.model } = definitionAt(timeline.model) ?? {}
  const response = await callApi(`${routeName}?${query}`, signal ? { signal } : {})
  if (!response.ok) throw new Error(String(response.status))
  const body: unknown = await response.json()
  const next: unknown = Reflect.get(Object(body), 'next')
  return {
    entries: (rowsOf(body) ?? []).map((record) => ({
      kind: 'message',
      at: String(record['createdAt']),
      key: `message ${String(record['id'])}`,
      record,
    })),
    more: typeof next === 'string' ? () => readMessages({ definition, id }, timeline, next) : null,
  }
}

/**
 * The newest entries of all feeds. An entry is certain unless a feed with more pages may have a newer one; `behind` are the feeds
 * to read before `count` entries are certain.
 */
export function newestOf(feeds: Feed[], count: number) {
  const oldest = (feed: Feed) => feed.entries.at(-1)?.at ?? ''
  const horizon = feeds
    .filter(({ more }) => more)
    .map(oldest)
    .reduce((latest, at) => (at > latest ? at : latest), '')
  const certain = feeds
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => at >= horizon)
    .toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1))
  return {
    shown: certain.slice(0, count),
    hasMore: certain.length > count || feeds.some(({ more }) => more),
    behind:
      certain.length >= count ? [] : feeds.filter((feed) => feed.more && oldest(feed) >= horizon),
  }
}

/** Reads on until `count` entries are certain, or every feed has ended. */
export async function readUntil(feeds: Feed[], count: number): Promise<Feed[]> {
  const { behind } = newestOf(feeds, count)
  if (behind.length === 0) return feeds
  const longer = await Promise.all(
    feeds.map(async (feed) => {
      if (!behind.includes(feed) || !feed.more) return feed
      const page = await feed.more()
      return { entries: [...feed.entries, ...page.entries], more: page.more }
    }),
  )
  return readUntil(longer, count)
}
