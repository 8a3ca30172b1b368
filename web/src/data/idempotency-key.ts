/** Long enough for a few retries; after that the same content is meant once more. */
const KEPT_MS = 10 * 60_000

const keys = new Map<string, { key: string; at: number }>()

/** An Idempotency-Key for a write: the same for as long as its content is, so that a retry after a lost answer arrives once. */
export function idempotencyKey(write: string) {
  const known = keys.get(write)
  if (known && Date.now() - known.at < KEPT_MS) return known.key
  const key = crypto.randomUUID()
  keys.set(write, { key, at: Date.now() })
  return key
}

/** It has arrived: the same content is a new write from now on. */
export const releaseKey = (write: string) => void keys.delete(write)
