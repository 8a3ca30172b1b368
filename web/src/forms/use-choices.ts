import { useEffect, useState } from 'react'
import { findRelated, type Found } from './relation-search.ts'

/** While somebody types, the server is asked when they pause. */
const PAUSE_MS = 200

type State = Found & { status: 'idle' | 'searching' | 'failed' }
const NOTHING: State = { choices: [], next: null, status: 'idle' }

/** What can be chosen for a text, a page at a time. What is asked for and no longer wanted is called off. */
export function useChoices(to: string, { text, isOpen }: { text: string; isOpen: boolean }) {
  const [state, setState] = useState<State>(NOTHING)
  const [after, setAfter] = useState<{ cursor: string; text: string } | null>(null)
  const cursor = after?.text === text ? after.cursor : null

  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    setState((last) => ({ ...last, status: 'searching' }))
    const ask = async () => {
      const { signal } = leaving
      const found = await findRelated(to, { text, after: cursor, signal })
      if (signal.aborted) return
      setState((last) => ({
        ...found,
        choices: cursor ? [...last.choices, ...found.choices] : found.choices,
        status: 'idle',
      }))
    }
    const timer = setTimeout(
      () =>
        void ask().catch(() => {
          if (!leaving.signal.aborted) setState({ ...NOTHING, status: 'failed' })
        }),
      text && !cursor ? PAUSE_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [to, text, cursor, isOpen])

  return { ...state, loadMore: () => state.next && setAfter({ cursor: state.next, text }) }
}
