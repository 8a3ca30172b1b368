import { useEffect, useState } from 'react'
import { findRelated, type Choice, type Found } from './relation-search.ts'

const DEBOUNCE_MS = 200

type SearchResult = Found & { text: string; cursor: string | null; hasFailed: boolean }
const NOTHING: Found = { choices: [], next: null }

/** Aborts superseded requests. */
export function useChoices(to: string, { text, isOpen }: { text: string; isOpen: boolean }) {
  const [result, setResult] = useState<SearchResult | null>(null)
  const [more, setMore] = useState<{ text: string; cursor: string; before: Choice[] } | null>(null)
  const [round, setRound] = useState(0)
  const page = more?.text === text ? more : null
  const cursor = page?.cursor ?? null
  const isCurrent = result?.text === text && result.cursor === cursor

  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    const { signal } = leaving
    const search = () =>
      findRelated(to, { text, after: cursor, signal }).then(
        (found) => {
          const choices = [...(page?.before ?? []), ...found.choices]
          if (!signal.aborted) setResult({ ...found, choices, text, cursor, hasFailed: false })
        },
        () => {
          const choices = page?.before ?? []
          if (!signal.aborted) setResult({ choices, next: null, text, cursor, hasFailed: true })
        },
      )
    const timer = setTimeout(() => void search(), text && !cursor ? DEBOUNCE_MS : 0)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [to, text, cursor, page, isOpen, round])

  const { choices, next } = result ?? NOTHING
  const status: 'idle' | 'searching' | 'failed' = !isCurrent
    ? 'searching'
    : result.hasFailed
      ? 'failed'
      : 'idle'
  return {
    choices,
    next,
    status,
    retry: () => setRound((last) => last + 1),
    loadMore: () => next && setMore({ text, cursor: next, before: choices }),
  }
}
