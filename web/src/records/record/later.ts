import { useEffect, useState } from 'react'
import { getJson } from '#data/client.ts'

/** What a loader asks for and does not wait for: null where it fails. */
export type Later<T> = Promise<T | null>

export const readLater = <T>(path: string, signal: AbortSignal): Later<T> =>
  getJson<T>(path, signal).catch(() => null)

/**
 * Undefined until it is there; when it is loaded again, what was there stays until then. Not `Await`: React holds back
 * what follows a fallback for 300 ms, and the API answers sooner.
 */
export function useLater<T>(later: Later<T> | (() => Later<T>) | null): T | null | undefined {
  const [value, setValue] = useState<T | null>()
  useEffect(() => {
    let isLeft = false
    const asked = typeof later === 'function' ? later() : later
    void asked?.then((settled) => {
      if (!isLeft) setValue(() => settled)
    })
    return () => {
      isLeft = true
    }
  }, [later])
  return value
}
