import type { SubmitEvent } from 'react'
import { useSingleFlight } from './use-single-flight.ts'

/** An `onSubmit` that ignores repeated submits while pending, and prevents the native one. */
export function useSubmit(send: () => Promise<void>) {
  const once = useSingleFlight(send)
  return (event: SubmitEvent) => {
    event.preventDefault()
    void once()
  }
}
