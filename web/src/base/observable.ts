/** One observable value outside React; store.ts turns it into a hook. */
export function buildValue<T>(initial: T) {
  let value = initial
  let shown = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: T) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Server snapshot: hydration must match the document. */
    getShown: () => shown,
    /** The current value is in the document now, so hydration must match it. */
    adopt() {
      shown = value
    },
  }
}

export type Value<T> = ReturnType<typeof buildValue<T>>
