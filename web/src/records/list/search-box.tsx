import { SEARCH_MAX_LENGTH, SEARCH_MIN_LENGTH } from '@gatehouse/model'
import { useEffect, useId, useRef, useState } from 'react'
import { areLettersOn, isLetterShortcut } from '#base/letter-shortcuts.ts'
import { listMessages } from '#messages/list.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import type { ListQuery } from '#records/query/list-url.ts'

const DEBOUNCE_MS = 250

/** Debounced search. Controlled by the URL, so it follows the back button. */
export function SearchBox({ title, query }: { title: string; query: ListQuery }) {
  const [typed, setTyped] = useState(query.q)
  const [shown, setShown] = useState(query.q)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hint = useId()
  const key = areLettersOn() ? listMessages.searchKey : undefined
  // The URL changed outside this box.
  if (query.q !== shown) {
    setShown(query.q)
    if (query.q !== typed.trim()) setTyped(query.q)
  }
  useFocusKey(input)
  // A navigation cancels the pending search.
  useEffect(() => () => clearTimeout(timer.current), [shown])

  function search(text: string) {
    const q = text.trim()
    clearTimeout(timer.current)
    if (q === query.q || isTooShort(q)) return
    // Replaces the history entry while refining: one step back, not one per letter.
    query.change({ q: q || null }, { replace: q !== '' && query.q !== '' })
  }

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(text), DEBOUNCE_MS)
  }

  return (
    <div className="search">
      <RecordIcon name="search" />
      <input
        ref={input}
        className="form-control"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={SEARCH_MAX_LENGTH}
        placeholder={listMessages.search(title)}
        aria-label={listMessages.search(title)}
        aria-describedby={hint}
        aria-keyshortcuts={key}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed)
          if (event.key !== 'Escape' || typed === '') return
          event.stopPropagation()
          setTyped('')
          search('')
        }}
      />
      {key && (
        <kbd className="only-lg" aria-hidden="true">
          {key}
        </kbd>
      )}
      <span className="search-hint" id={hint} role="status">
        {isTooShort(typed.trim()) && listMessages.searchHint(SEARCH_MIN_LENGTH)}
      </span>
    </div>
  )
}

const isTooShort = (text: string) => text !== '' && Array.from(text).length < SEARCH_MIN_LENGTH

/** `/` focuses the search. */
function useFocusKey(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== listMessages.searchKey || !isLetterShortcut(event)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [input])
}
