import { useEffect, useState } from 'react'
import { callApi } from '#api.ts'

type Answer<T> = { path: string; data: T | null }

/** What an address of the API answers: undefined until it does, null where it fails. Asked anew when `key` changes. */
export function useApi<T>(path: string | null, key: unknown = ''): T | null | undefined {
  const [answer, setAnswer] = useState<Answer<T>>()
  useEffect(() => {
    if (path === null) return
    const leaving = new AbortController()
    const load = async () => {
      const response = await callApi(path, { signal: leaving.signal })
      return response.ok ? ((await response.json()) as T) : null
    }
    void load()
      .catch(() => null)
      .then((data) => {
        if (!leaving.signal.aborted) setAnswer({ path, data })
      })
    return () => leaving.abort()
  }, [path, key])
  return answer?.path === path ? answer?.data : undefined
}
