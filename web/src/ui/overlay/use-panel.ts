import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { trackPosition, type Position } from './position.ts'

/**
 * A native popover beside a button, in the top layer. Manual, not auto: it also closes when the focus leaves, and Escape closes
 * only the innermost overlay.
 */
export function usePanel({ gap, align }: Position) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!isOpen || !opener.current || !panel.current) return
    panel.current.showPopover()
    return trackPosition(opener.current, panel.current, { gap, align })
  }, [isOpen, gap, align])
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      const isInside = [panel, opener].some(({ current }) => current?.contains(target as Node))
      if (!isInside) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])

  function close() {
    setOpen(false)
    opener.current?.focus()
  }

  function onEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return
    // Otherwise a dialog around it would close too.
    event.preventDefault()
    event.stopPropagation()
    close()
  }

  return { isOpen, setOpen, opener, panel, close, onEscape }
}
