import { setTimeout } from 'node:timers/promises'

export type InterruptibleSleep = ReturnType<typeof buildInterruptibleSleep>

/** An interruptible pause. A wake-up while nothing is paused shortens the next pause. */
export function buildInterruptibleSleep(stopping: AbortSignal) {
  let wakeAt = Number.POSITIVE_INFINITY
  let changed = new AbortController()
  const leftMs = () => (stopping.aborted ? 0 : wakeAt - performance.now())
  const wake = (inMs = 0) => {
    wakeAt = Math.min(wakeAt, performance.now() + inMs)
    changed.abort()
  }
  return {
    /** Ends the pause within `inMs`. */
    wake,
    async pause(ms: number) {
      wake(ms)
      for (let left = leftMs(); left > 0; left = leftMs()) {
        changed = new AbortController()
        const signal = AbortSignal.any([stopping, changed.signal])
        await setTimeout(left, undefined, { signal }).catch(() => {})
      }
      wakeAt = Number.POSITIVE_INFINITY
    },
  }
}
