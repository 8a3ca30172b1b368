import { useEffect, useEffectEvent, useRef, type ComponentType } from 'react'
import { useAuth } from 'react-oidc-context'
import { useNavigate } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { isLetterShortcut } from '#base/letter-shortcuts.ts'
import { overlayOf } from '#boot/palette-keys.ts'
import { holdTyping, takeTyping } from '#boot/typed-ahead.ts'
import { paletteState } from '#layout/palette-state.ts'
import { siteMessages } from '#messages/site.ts'
import { lazyModule, LazyModuleFailed, useLazyModule, type LazyModule } from '#ui/lazy-module.tsx'

/** Between the two letters of `g d`. */
const SEQUENCE_MAX_MS = 1_000

type OverlayModule = { Overlay: ComponentType<{ isOpen: boolean; onClose: () => void }> }

const search = lazyModule<OverlayModule>(siteMessages.parts.search, async () => {
  const { SearchDialog } = await import('./search-dialog.tsx')
  return { Overlay: SearchDialog }
})
const sheet = lazyModule<OverlayModule>(siteMessages.parts.shortcuts, async () => {
  const { ShortcutSheet } = await import('./shortcut-sheet.tsx')
  return { Overlay: ShortcutSheet }
})

function close() {
  takeTyping()
  paletteState.set('closed')
}

/** Keys of every page, and the overlays they open. */
export function PaletteHost() {
  const open = paletteState.use()
  useOverlayKeys()
  useDeskKey()
  return (
    <>
      <LazyOverlay part={search} isOpen={open === 'search'} />
      <LazyOverlay part={sheet} isOpen={open === 'shortcuts'} />
    </>
  )
}

function LazyOverlay({ part, isOpen }: { part: LazyModule<OverlayModule>; isOpen: boolean }) {
  const loaded = useLazyModule(part, isOpen, isOpen)
  const hasFailed = part.use().failures > 0
  useEffect(() => {
    if (hasFailed) takeTyping()
  }, [hasFailed])
  if (loaded) return <loaded.Overlay isOpen={isOpen} onClose={close} />
  return isOpen && <LazyModuleFailed part={part} onClose={close} />
}

function useOverlayKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const overlay = overlayOf(event)
      if (!overlay) return
      event.preventDefault()
      if (paletteState.get() === overlay) return close()
      if (overlay === 'search') holdTyping(close)
      paletteState.set(overlay)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** `g d` opens the desk. */
function useDeskKey() {
  const navigate = useNavigate()
  const isStaff = toVisitor(useAuth().user)?.role === 'admin'
  const startedAt = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isStaff || !hasProductPages() || !isLetterShortcut(event)) return
    const isSecond = event.timeStamp - startedAt.current < SEQUENCE_MAX_MS
    startedAt.current = event.key === 'g' ? event.timeStamp : -Infinity
    if (isSecond && event.key === 'd') void navigate('/desk')
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
