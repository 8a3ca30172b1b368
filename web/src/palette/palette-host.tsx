import { useEffect, useEffectEvent, useRef } from 'react'
import { useAuth } from 'react-oidc-context'
import { useNavigate } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { isLetterShortcut } from '#base/letter-shortcuts.ts'
import { overlayOf } from '#boot/palette-keys.ts'
import { holdTyping, takeTyping } from '#boot/typed-ahead.ts'
import { paletteState } from '#layout/palette-state.ts'
import { siteMessages } from '#messages/site.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'

/** Between the two letters of `g d`. */
const SEQUENCE_MAX_MS = 1_000

const overlays = lazyModule(siteMessages.parts.search, () => import('./overlays.tsx'))

function close() {
  takeTyping()
  paletteState.set('closed')
}

/** Keys of every page, and the overlays they open. On every list: what can wait is in overlays.tsx. */
export function PaletteHost() {
  const open = paletteState.use()
  const loaded = useLazyModule(overlays, open !== 'closed', open)
  const { failures } = overlays.use()
  useKeys()
  useEffect(() => {
    if (failures > 0) takeTyping()
  }, [failures])
  if (loaded) return <loaded.Overlays open={open} onClose={close} />
  return open !== 'closed' && <LazyModuleFailed part={overlays} onClose={close} />
}

function useKeys() {
  const navigate = useNavigate()
  const isStaff = toVisitor(useAuth().user)?.role === 'admin'
  const startedAt = useRef(-SEQUENCE_MAX_MS)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const overlay = overlayOf(event)
    if (overlay) {
      event.preventDefault()
      if (paletteState.get() === overlay) return close()
      if (overlay === 'search') holdTyping(close)
      paletteState.set(overlay)
    } else if (isStaff && hasProductPages() && isLetterShortcut(event)) {
      const isSecond = event.timeStamp - startedAt.current < SEQUENCE_MAX_MS
      startedAt.current = event.key === 'g' ? event.timeStamp : -SEQUENCE_MAX_MS
      if (isSecond && event.key === 'd') void navigate('/desk')
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
