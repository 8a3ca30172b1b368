const EDGE_PX = 8

export type Position = { gap: number; align: 'start' | 'end' }

/** Places the panel below the button, or above if there is more room, within the window. */
function position(opener: HTMLElement, panel: HTMLElement, { gap, align }: Position) {
  const { style, offsetWidth, offsetHeight } = panel
  const at = opener.getBoundingClientRect()
  const start = align === 'start' ? at.left : at.right - offsetWidth
  const left = Math.min(start, window.innerWidth - offsetWidth - EDGE_PX)
  const lowest = window.innerHeight - offsetHeight - EDGE_PX
  const below = at.bottom + gap
  const above = at.top - gap - offsetHeight
  const top = below <= lowest || above < EDGE_PX ? below : above
  style.left = `${Math.max(EDGE_PX, left)}px`
  style.top = `${Math.max(EDGE_PX, Math.min(top, lowest))}px`
}

/** Repositions the panel when its content grows or the page scrolls. */
export function trackPosition(opener: HTMLElement, panel: HTMLElement, where: Position) {
  const again = () => position(opener, panel, where)
  again()
  const size = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(again)
  size?.observe(panel)
  window.addEventListener('scroll', again, { capture: true, passive: true })
  window.addEventListener('resize', again)
  return () => {
    size?.disconnect()
    window.removeEventListener('scroll', again, { capture: true })
    window.removeEventListener('resize', again)
  }
}
