import { createHmac, timingSafeEqual } from 'node:crypto'

/** A key for each secret and purpose: a signature made for one purpose is worth nothing for another. */
export const deriveKeys = (secrets: readonly string[], purpose: string) =>
  secrets.map((secret) => createHmac('sha256', secret).update(purpose).digest())

/** In constant time. */
export function isSameSignature(expected: string, given: string) {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
