/** Long enough for retries; afterwards the same content counts as a new write. */
const KEY_TTL_MS = 10 * 60_000

const keys = new Map<string, { key: string; at: number }>()

/** The Idempotency-Key of a write: the same for the same content, so that a retry after a lost response writes once. */
export function idempotencyKey(write: string) {
  const cached = keys.get(write)
  if (cached && Date.now() - cached.at < KEY_TTL_MS) return cached.key
  const key = crypto.randomUUID()
  keys.set(write, { key, at: Date.now() })
  return key
}

/** Called on success: the same content is a new write from now on. */
export const releaseKey = (write: string) => void keys.delete(write)
