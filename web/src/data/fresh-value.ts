import { buildStore } from '#base/store.ts'

const MAX_AGE_MS = 60_000

/** A value shown outside the page it belongs to. Undefined until loaded, null on failure. */
export function buildFreshValue<T>(load: (signal?: AbortSignal) => Promise<T>) {
  const value = buildStore<T | null | undefined>(undefined)
  let readAt = -Infinity
  let runs = 0

  /** The latest run wins; an interrupted navigation is no failure. */
  async function reload(signal?: AbortSignal) {
    readAt = Date.now()
    const run = ++runs
    const loaded = await load(signal).catch(() => null)
    if (run === runs && !signal?.aborted) value.set(loaded)
  }

  return {
    use: value.use,
    reload,
    /** Loads unless read within the last minute. */
    refresh: async () => {
      if (Date.now() - readAt >= MAX_AGE_MS) await reload()
    },
    /** Makes the next refresh load: a write may have changed it. */
    expire: () => void (readAt = -Infinity),
    /** From a page that has read it. */
    set(known: T | null) {
      runs++
      readAt = Date.now()
      value.set(known)
    },
  }
}
