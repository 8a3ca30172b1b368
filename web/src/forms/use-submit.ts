import type { SubmitEvent } from 'react'
import { useSingleFlight } from './use-single-flight.ts'

export function useSubmit(send: () => Promise<void>) {
  const once = useSingleFlight(send)
  return (event: SubmitEvent) => {
    event.preventDefault()
    void once()
  }
}
