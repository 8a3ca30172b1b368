/** Long enough for retries; later, the same content is a new write. */
const KEY_TTL_MS = 10 * 60_000

const keys = new Map<string, { key: string; at: number }>()

/** The Idempotency-Key of a write: stable for the same content, so that a retry after a lost response is not a second write. */
export function idempotencyKey(write: string) {
  const known = keys.get(write)
  if (known && Date.now() - known.at < KEY_TTL_MS) return known.key
  const key = crypto.randomUUID()
  keys.set(write, { key, at: Date.now() })
  return key
}

/** On success: the same content is a new write from now on. */
export const releaseKey = (write: string) => void keys.delete(write)
