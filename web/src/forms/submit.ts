import type { SubmitEvent } from 'react'
import { useOnce } from './once.ts'

/** The `onSubmit` of a form: sends it once, however often it is pressed in the meantime, and never as the browser would. */
export function useSubmit(send: () => Promise<void>) {
  const once = useOnce(send)
  return (event: SubmitEvent) => {
    event.preventDefault()
    void once()
  }
}
