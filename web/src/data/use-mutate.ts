import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { mutate, type Failed, type Intent, type Saved } from './mutate.ts'

type Options = {
  /** Where the page is left. Otherwise it reloads. */
  onSaved?: (saved: Saved) => unknown
  onFailed?: (failed: Failed) => unknown
}

/** A refusal that says the page is out of date: what happened in the meantime belongs on it. */
const OUTDATED = [401, 404, 409, 412]

/** Writes, and brings the page up to date. For forms, which show the outcome themselves and are sent once. */
export function useWrite() {
  const { revalidate } = useRevalidator()
  return async (intent: Intent, { onSaved = revalidate, onFailed }: Options = {}) => {
    const outcome = await mutate(intent)
    if (outcome.kind === 'saved') await onSaved(outcome)
    if (outcome.kind === 'failed') {
      if (onFailed) await onFailed(outcome)
      else if (OUTDATED.includes(outcome.status)) await revalidate()
    }
    return outcome
  }
}

/** For buttons: a press while the last one is under way does nothing. `pending` holds the paths that are written to. */
export function useMutate() {
  const write = useWrite()
  const running = useRef(new Set<string>())
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())

  async function send(intent: Intent, options: Options & { onSettled?: () => void } = {}) {
    // Not the state: two presses in one tick come before a button is disabled.
    if (running.current.has(intent.path)) return
    running.current.add(intent.path)
    setPending(new Set(running.current))
    try {
      await write(intent, options)
      options.onSettled?.()
    } finally {
      running.current.delete(intent.path)
      setPending(new Set(running.current))
    }
  }
  return { send: (...given: Parameters<typeof send>) => void send(...given), pending }
}
