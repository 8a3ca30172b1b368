import { useSyncExternalStore } from 'react'

/** An external store: one value that loaders and plain functions change too. */
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
    /** Server snapshot: hydration must match the HTML. */
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  }
}
