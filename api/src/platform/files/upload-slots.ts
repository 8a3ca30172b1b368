import { overloaded, tooManyRequests } from '#platform/errors.ts'

type Options = {
  slots: number
  slotsPerAccount: number
  /** Further uploads of one account are rejected. */
  waitingPerAccount: number
  waitMs: number
}

type Waiting = { account: string; start: () => void }

const RETRY_SECONDS = 30

/**
 * Limits uploads that run at once, in all and per account; others wait their turn, an account with fewer running ones first. An
 * upload may take minutes, so it takes none of the slots of other requests.
 */
export function buildUploadSlots({ slots, slotsPerAccount, waitingPerAccount, waitMs }: Options) {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  const runningOf = (account: string) => running.get(account) ?? 0
  let total = 0

  function occupy(account: string) {
    total++
    running.set(account, runningOf(account) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      total--
      const left = runningOf(account) - 1
      if (left === 0) running.delete(account)
      else running.set(account, left)
      startNext()
    }
  }

  const canStart = (account: string) => total < slots && runningOf(account) < slotsPerAccount

  function startNext() {
    const [next] = waiting
      .filter(({ account }) => canStart(account))
      .toSorted((a, b) => runningOf(a.account) - runningOf(b.account))
    if (next) next.start()
  }

  const waitingOf = (account: string) => waiting.filter((one) => one.account === account).length

  return {
    /** Resolves to the function that releases the slot. `signal` ends the waiting. */
    async acquire(account: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      if (canStart(account) && waiting.every((one) => !canStart(one.account)))
        return occupy(account)
      if (waitingOf(account) >= waitingPerAccount) throw tooManyRequests(RETRY_SECONDS)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const leave = (error: unknown) => {
        end()
        reject(error)
      }
      const entry: Waiting = {
        account,
        start() {
          end()
          resolve(occupy(account))
        },
      }
      const timer = setTimeout(() => leave(overloaded()), waitMs)
      const abort = () => leave(signal.reason)
      function end() {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        waiting.splice(waiting.indexOf(entry), 1)
      }
      signal.addEventListener('abort', abort)
      waiting.push(entry)
      return promise
    },
    counts: () => ({ running: total, waiting: waiting.length }),
  }
}

/** Runs at most `max` functions at once, in order of arrival. */
export function buildGate(max: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
