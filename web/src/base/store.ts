import { useSyncExternalStore } from 'react'

/** One value outside React that components follow: for what loaders and plain functions change too. */
export function buildStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(next: T) {
      value = next
      for (const listener of listeners) listener()
    },
    /** The first value is the server's too: what a prerendered page shows until it has come to life. */
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  }
}
