import { useEffect, useState } from 'react'
import { readRecent, type RecentRecord } from '#base/recent-records.ts'
import { callApi } from '#data/client.ts'
import { definitionAt } from '#data/definitions.ts'
import { asObject } from '#data/field.ts'
import { recordItem } from './record-item.ts'
import type { PaletteItem } from './palette-item.ts'
import type { SearchStatus } from './use-record-search.ts'

type Result = { items: PaletteItem[]; hasFailed: boolean }

/** The records opened last, as this person sees them now. */
export function useRecentItems(sub: string | undefined) {
  const [result, setResult] = useState<Result | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const recent = sub ? readRecent(sub) : []
    void Promise.all(recent.map((one) => readItem(one, signal))).then(
      (items) => {
        if (!signal.aborted) setResult({ items: items.flat(), hasFailed: false })
      },
      () => {
        if (!signal.aborted) setResult({ items: [], hasFailed: true })
      },
    )
    return () => leaving.abort()
  }, [sub, round])
  const status: SearchStatus = !result ? 'searching' : result.hasFailed ? 'failed' : 'idle'
  return {
    items: result?.items ?? [],
    status,
    retry: () => {
      setResult(null)
      setRound((last) => last + 1)
    },
  }
}

/** Nothing for a record that is gone or no longer theirs. */
async function readItem({ model, id }: RecentRecord, signal: AbortSignal): Promise<PaletteItem[]> {
  const definition = definitionAt(model)
  if (!definition) return []
  const response = await callApi(`${definition.path}/${encodeURIComponent(id)}`, { signal })
  if (response.status >= 500) throw new Error(String(response.status))
  return response.ok ? [recordItem(definition, asObject(await response.json()))] : []
}
