import { lazy, Suspense, useEffect } from 'react'
import { promptLater, useAsking } from '#consent.ts'

const CookieQuestion = lazy(async () => ({
  default: (await import('./cookie-question.tsx')).CookieQuestion,
}))

/** Asks once per tab which cookies are welcome. Not modal: the page works on beside it. */
export function CookieDialog() {
  const asking = useAsking()
  useEffect(promptLater, [])
  if (asking === 'no') return null
  return (
    <Suspense>
      <CookieQuestion wantsFocus={asking === 'byHand'} />
    </Suspense>
  )
}
