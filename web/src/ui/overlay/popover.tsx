import { useEffect, useId, type ReactNode } from 'react'
import { usePanel } from './use-panel.ts'

type Props = {
  /** The button's content. */
  button: ReactNode
  /** The button's accessible name, if its content has no text. */
  name?: string
  title?: string
  buttonClass: string
  /** The panel's accessible name. */
  label: string
  children: (close: () => void) => ReactNode
}

const POSITION = { gap: 6, align: 'start' } as const

/** A panel beside a button. Closes on Escape, returning the focus, and when the focus leaves. */
export function Popover({ button, name, title, buttonClass, label, children }: Props) {
  const { isOpen, setOpen, opener, panel, close, onEscape } = usePanel(POSITION)
  const id = useId()
  useEffect(() => {
    // The content may have set the focus itself.
    if (isOpen && !panel.current?.contains(document.activeElement))
      panel.current?.focus({ preventScroll: true })
  }, [isOpen, panel])
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
        onKeyDown={onEscape}
      >
        {button}
      </button>
      {isOpen && (
        // Keys belong to the focused content.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div
          id={id}
          className="popover-panel"
          popover="manual"
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          ref={panel}
          onKeyDown={onEscape}
        >
          <Content render={children} close={close} />
        </div>
      )}
    </>
  )
}

const Content = ({ render, close }: { render: Props['children']; close: () => void }) =>
  render(close)
