import type { KeyboardEvent, ReactNode } from 'react'
import type { Position } from './position.ts'
import { usePanel } from './use-panel.ts'

type MenuProps = {
  /** The button's content, and its accessible name if it has no text. */
  label?: ReactNode
  name?: string
  buttonClass: string
  isCurrent?: boolean
  isDisabled?: boolean
  align?: Position['align']
  children: ReactNode
}

const GAP_PX = 2

/** A menu of links and buttons with arrow-key navigation; choosing one closes it. */
export function Menu({ align = 'start', ...props }: MenuProps) {
  const { isOpen, setOpen, opener, panel, close, onEscape } = usePanel({ gap: GAP_PX, align })

  function onKeyDown(event: KeyboardEvent) {
    onEscape(event)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    if (!isOpen) return setOpen(step > 0)
    const items = [...(panel.current?.querySelectorAll<HTMLElement>('.dropdown-item') ?? [])]
    const at = items.findIndex((item) => item === document.activeElement)
    items[Math.max(0, at + step)]?.focus()
  }

  return (
    <>
      <button
        type="button"
        className={`${props.buttonClass} dropdown-toggle`}
        aria-label={props.name}
        aria-expanded={isOpen}
        aria-current={props.isCurrent || undefined}
        disabled={props.isDisabled}
        ref={opener}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeyDown}
      >
        {props.label}
      </button>
      {isOpen && (
        // Click and key events come from the items.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div
          className="dropdown-menu"
          popover="manual"
          ref={panel}
          onKeyDown={onKeyDown}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('.dropdown-item')) close()
          }}
        >
          {props.children}
        </div>
      )}
    </>
  )
}
