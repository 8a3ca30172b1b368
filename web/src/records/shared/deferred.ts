import { useEffect, useState } from 'react'
import { getJson } from '#data/failure.ts'

/** Deferred loader data; null on failure. */
export type Deferred<T> = Promise<T | null>

export const deferJson = <T>(path: string, signal: AbortSignal): Deferred<T> =>
  getJson<T>(path, signal).catch(() => null)

/** Undefined until loaded; a reload keeps the old value. Not `Await`: React delays its reveals by 300 ms. */
export function useDeferred<T>(
  later: Deferred<T> | (() => Deferred<T>) | null,
): T | null | undefined {
  const [value, setValue] = useState<T | null>()
  useEffect(() => {
    let isLeft = false
    const promise = typeof later === 'function' ? later() : later
    void promise?.then((settled) => {
      if (!isLeft) setValue(() => settled)
    })
    return () => {
      isLeft = true
    }
  }, [later])
  return value
}
