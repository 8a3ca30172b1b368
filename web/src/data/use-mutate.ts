import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { mutate, type Failed, type Intent, type Outcome, type Saved } from './mutate.ts'

type Options = {
  /** Where the page is left. Otherwise it reloads. */
  onSaved?: (saved: Saved) => unknown
  onFailed?: (failed: Failed) => unknown
}

/** A refusal that says the page is out of date: what happened in the meantime belongs on it. */
const OUTDATED = [401, 404, 409, 412]

/** For a button: pressed again while it is under way it does nothing. `pending` holds the paths that are written to. */
export function useMutate() {
  const { revalidate } = useRevalidator()
  const running = useRef(new Set<string>())
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())

  async function send(
    intent: Intent,
    { onSaved, onFailed }: Options = {},
  ): Promise<Outcome | null> {
    // Not the state: two presses in one tick come before a button is disabled.
    if (running.current.has(intent.path)) return null
    running.current.add(intent.path)
    setPending(new Set(running.current))
    try {
      const outcome = await mutate(intent)
      if (outcome.kind === 'saved') await (onSaved ? onSaved(outcome) : revalidate())
      if (outcome.kind === 'failed') {
        if (onFailed) await onFailed(outcome)
        else if (OUTDATED.includes(outcome.status)) await revalidate()
      }
      return outcome
    } finally {
      running.current.delete(intent.path)
      setPending(new Set(running.current))
    }
  }
  return { send, pending }
}
