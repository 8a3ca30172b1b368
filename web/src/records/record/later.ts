import { useEffect, useState } from 'react'
import { getJson } from '#data/failure.ts'

/** Deferred loader data; null on failure. */
export type Later<T> = Promise<T | null>

export const readLater = <T>(path: string, signal: AbortSignal): Later<T> =>
  getJson<T>(path, signal).catch(() => null)

/** Undefined until loaded; a reload keeps the old value. Not `Await`: React throttles reveals after a fallback to 300 ms. */
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
