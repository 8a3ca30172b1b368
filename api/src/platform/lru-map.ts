/** Puts an entry at the end of a map, which keeps the newest `max`. */
export function setBounded<K, V>(known: Map<K, V>, key: K, value: V, max: number) {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.size > max ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
}
