import { useEffect } from 'react'
import { promptLater, stopAsking, useAsking } from './consent.ts'
import { siteMessages } from '#messages/site.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'

const question = buildPart(siteMessages.parts.cookies, () => import('./cookie-question.tsx'))

/** Asks for the cookie choice once per tab. Not modal. */
export function CookieDialog() {
  const asking = useAsking()
  useEffect(() => promptLater(() => void question.prepare()), [])
  const loaded = usePart(question, asking.how !== 'no', asking)
  if (asking.how === 'no') return null
  if (!loaded) return <PartFailed part={question} onClose={stopAsking} />
  return <loaded.CookieQuestion wantsFocus={asking.how === 'byHand'} />
}
