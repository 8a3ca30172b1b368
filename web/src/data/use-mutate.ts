import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { mutate, type Failed, type Intent, type Saved } from './mutate.ts'

type Options = {
  /** For navigating away; by default the page revalidates. */
  onSaved?: (saved: Saved) => unknown
  onFailed?: (failed: Failed) => unknown
}

/** Statuses that mean the page is stale: it revalidates. */
const OUTDATED = [401, 404, 409, 412]

/** Writes, then revalidates. For forms, which show the outcome and guard against double submits themselves. */
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

/** For buttons: ignores a second click while the first is pending. `pending` holds the paths being written to. */
export function useMutate() {
  const write = useWrite()
  const running = useRef(new Set<string>())
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())

  async function send(intent: Intent, options: Options & { onSettled?: () => void } = {}) {
    // A ref: two clicks in one tick come before a disabled button renders.
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
