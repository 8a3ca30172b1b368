type Kind = 'sessionStorage' | 'localStorage'

/** Web storage with an in-memory fallback: a browser may block it, and it may be full. */
export const session = buildStorage('sessionStorage')
export const local = buildStorage('localStorage')

function buildStorage(kind: Kind) {
  const memory = new Map<string, string>()
  return {
    get: (key: string) => memory.get(key) ?? attempt(kind, (storage) => storage.getItem(key)),
    set(key: string, value: string) {
      const isStored = attempt(kind, (storage) => {
        storage.setItem(key, value)
        return true
      })
      if (isStored) memory.delete(key)
      else memory.set(key, value)
    },
    remove(key: string) {
      memory.delete(key)
      attempt(kind, (storage) => storage.removeItem(key))
    },
    keys: () => [...(attempt(kind, Object.keys) ?? []), ...memory.keys()],
  }
}

function attempt<T>(kind: Kind, use: (storage: Storage) => T): T | null {
  try {
    return use(window[kind])
  } catch {
    return null
  }
}

/** Whether data survives a redirect such as the sign-in, which the in-memory fallback does not. */
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
