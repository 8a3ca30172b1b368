import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'

type Props = {
  /** What the button shows. */
  button: ReactNode
  /** The button's name, where what it shows is no name; else its words are. */
  name?: string
  title?: string
  buttonClass: string
  /** What the panel is called. */
  label: string
  children: (close: () => void) => ReactNode
}

const GAP_PX = 6
const EDGE_PX = 8

/** A panel beside a button. Escape closes it and gives the focus back; whatever else gets the focus closes it too. */
export function Popover({ button, name, title, buttonClass, label, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (isOpen && opener.current && panel.current) return keepInPlace(opener.current, panel.current)
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    // What is in it may know a better place.
    if (!panel.current?.contains(document.activeElement))
      panel.current?.focus({ preventScroll: true })
    const closeOutside = ({ target }: Event) => {
      const isInside =
        target instanceof Node &&
        (panel.current?.contains(target) || opener.current?.contains(target))
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

  return (
    <>
      <button
        type="button"
        className={buttonClass}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={name}
        title={title}
        ref={opener}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        // The key is for whatever has the focus inside.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div
          id={id}
          className="popover-panel"
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          ref={panel}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        >
          <Content render={children} close={close} />
        </div>
      )}
    </>
  )
}

/** Whoever opens something may want to close it. */
const Content = ({ render, close }: { render: Props['children']; close: () => void }) =>
  render(close)

/** Under the button, or above it where there is more room; never beyond the window, never cut off by a table. */
function place(opener: HTMLElement, { style, offsetWidth, offsetHeight }: HTMLElement) {
  const at = opener.getBoundingClientRect()
  const left = Math.min(at.left, window.innerWidth - offsetWidth - EDGE_PX)
  const lowest = window.innerHeight - offsetHeight - EDGE_PX
  const below = at.bottom + GAP_PX
  const above = at.top - GAP_PX - offsetHeight
  const top = below <= lowest || above < EDGE_PX ? below : above
  style.left = `${Math.max(EDGE_PX, left)}px`
  style.top = `${Math.max(EDGE_PX, Math.min(top, lowest))}px`
}

/** Stays beside its button: what is in it may arrive later and grow, and the page may move. */
function keepInPlace(opener: HTMLElement, panel: HTMLElement) {
  const again = () => place(opener, panel)
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
