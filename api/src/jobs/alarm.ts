import { setTimeout } from 'node:timers/promises'

export type Alarm = ReturnType<typeof buildAlarm>

/** A pause that can be cut short. A wake that comes while nobody pauses cuts the next pause short. */
export function buildAlarm(stopping: AbortSignal) {
  let wakeAt = Number.POSITIVE_INFINITY
  let changed = new AbortController()
  const leftMs = () => (stopping.aborted ? 0 : wakeAt - performance.now())
  const wake = (inMs = 0) => {
    wakeAt = Math.min(wakeAt, performance.now() + inMs)
    changed.abort()
  }
  return {
    /** At the latest so many milliseconds from now. */
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
