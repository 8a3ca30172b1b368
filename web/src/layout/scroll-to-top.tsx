import { useEffect, useState } from 'react'
import { siteMessages } from '#messages/site.ts'
import { Icon } from '#ui/icon.tsx'

const THRESHOLD_PX = 300

export function ScrollToTop() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const look = () => setShown(window.scrollY > THRESHOLD_PX)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  if (!isShown) return null
  return (
    <button type="button" className="to-top" aria-label={siteMessages.toTop} onClick={toTop}>
      <Icon name="arrow-up" />
    </button>
  )
}

function toTop() {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' })
  document.querySelector<HTMLElement>('.brand')?.focus({ preventScroll: true })
}
