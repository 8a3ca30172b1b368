/** Sets an entry as the newest, and evicts the oldest beyond `max`. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number) {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > max ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}
