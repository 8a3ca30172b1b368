import { SEARCH_MIN_LENGTH } from '@gatehouse/model'
import { useEffect, useState } from 'react'
import { callApi } from '#data/client.ts'
import { definitionAt } from '#data/definitions.ts'
import { asObject } from '#data/field.ts'
import { recordItem } from './record-item.ts'
import type { PaletteItem } from './palette-item.ts'

const DEBOUNCE_MS = 150

export type SearchStatus = 'idle' | 'searching' | 'failed'
type Found = { items: PaletteItem[]; slow: string[] }
type Result = Found & { q: string; hasFailed: boolean }

const NOTHING: Found = { items: [], slow: [] }

/** What to ask the server: nothing below its minimum length, except for a number such as `#7`. */
export const toQuery = (text: string) =>
  Array.from(text).length >= SEARCH_MIN_LENGTH || /^#\d+$/.test(text) ? text : null

/** Debounced; aborts superseded requests. Shows the last hits until the next arrive; null asks nothing. */
export function useRecordSearch(q: string | null) {
  const [result, setResult] = useState<Result | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (q === null) return
    const leaving = new AbortController()
    const { signal } = leaving
    const settle = (found: Found, hasFailed: boolean) => {
      if (!signal.aborted) setResult({ ...found, q, hasFailed })
    }
    const timer = setTimeout(() => {
      void findRecords(q, signal).then(
        (found) => settle(found, false),
        () => settle(NOTHING, true),
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [q, round])

  if (q === null) return { ...NOTHING, status: 'idle' as SearchStatus, retry: () => {} }
  const { items, slow } = result ?? NOTHING
  const status: SearchStatus = result?.q !== q ? 'searching' : result.hasFailed ? 'failed' : 'idle'
  return {
    items,
    slow,
    status,
    retry: () => {
      setResult(null)
      setRound((last) => last + 1)
    },
  }
}

async function findRecords(q: string, signal: AbortSignal): Promise<Found> {
  const response = await callApi(`models/search?${new URLSearchParams({ q })}`, { signal })
  if (!response.ok) throw new Error(String(response.status))
  const { items, slow } = asObject(await response.json())
  return {
    items: (Array.isArray(items) ? items : []).flatMap((hit: unknown) => {
      const { model, record } = asObject(hit)
      const definition = definitionAt(String(model))
      return definition ? [recordItem(definition, asObject(record))] : []
    }),
    slow: (Array.isArray(slow) ? slow : []).flatMap(
      (model) => definitionAt(String(model))?.viewData.title ?? [],
    ),
  }
}
