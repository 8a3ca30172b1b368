import { buildStore } from '#base/store.ts'
import type { StepUpChallenge } from './challenge.ts'

type Pending = { asked: StepUpChallenge; settle: (isDone: boolean) => void }

const pending = buildStore<Pending | null>(null)

export const usePending = pending.use

/** False if the visitor cancels, or if another challenge replaces this one. */
export function stepUp(asked: StepUpChallenge): Promise<boolean> {
  pending.get()?.settle(false)
  return new Promise((resolve) => {
    pending.set({
      asked,
      settle: (isDone) => {
        pending.set(null)
        resolve(isDone)
      },
    })
  })
}
