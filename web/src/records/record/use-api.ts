import { useEffect, useState } from 'react'
import { callApi } from '#data/client.ts'

type Answer<T> = { path: string; data: T | null }
type Asked<T> = {
  /** Undefined until the API answers, null where it fails. */
  data: T | null | undefined
  retry: () => void
}

/** What an address of the API answers. Asked again when `key` changes, and by `retry`. */
export function useApi<T>(path: string | null, key: unknown = ''): Asked<T> {
  const [answer, setAnswer] = useState<Answer<T>>()
  const [round, setRound] = useState(0)
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
  }, [path, key, round])
  return {
    data: answer?.path === path ? answer?.data : undefined,
    retry: () => setRound((last) => last + 1),
  }
}
