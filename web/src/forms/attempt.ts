import { useRef } from 'react'

/**
 * An Idempotency-Key for what is being sent: the same for as long as the content is, so that a second press or a second
 * try after a lost answer arrives once, and a new one as soon as anything was changed or has arrived.
 */
export function useAttempt() {
  const last = useRef({ content: '', key: '' })
  return {
    keyOf(values: object) {
      const content = JSON.stringify(values)
      if (last.current.content !== content) last.current = { content, key: crypto.randomUUID() }
      return last.current.key
    },
    hasArrived() {
      last.current = { content: '', key: '' }
    },
  }
}
