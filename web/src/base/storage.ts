type Kind = 'sessionStorage' | 'localStorage'

/** What this tab keeps, and what all of them do. A browser may block either, and both can be full: the page's own memory then stands in. */
export const session = buildStorage('sessionStorage')
export const local = buildStorage('localStorage')

function buildStorage(kind: Kind) {
  const memory = new Map<string, string>()
  return {
    get: (key: string) => memory.get(key) ?? attempt(kind, (storage) => storage.getItem(key)),
    set(key: string, value: string) {
      const isKept = attempt(kind, (storage) => {
        storage.setItem(key, value)
        return true
      })
      if (isKept) memory.delete(key)
      else memory.set(key, value)
    },
    remove(key: string) {
      memory.delete(key)
      attempt(kind, (storage) => storage.removeItem(key))
    },
    keys: () => [...(attempt(kind, Object.keys) ?? []), ...memory.keys()],
  }
}

/** Null where the browser refuses. */
function attempt<T>(kind: Kind, use: (storage: Storage) => T): T | null {
  try {
    return use(window[kind])
  } catch {
    return null
  }
}

/** For what leaves this page and comes back, as the sign-in does: memory would not be there any more. */
export function canStore() {
  const key = 'storageTest'
  return (
    attempt('sessionStorage', (storage) => {
      storage.setItem(key, key)
      storage.removeItem(key)
      return true
    }) === true
  )
}
