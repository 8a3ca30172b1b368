import { useEffect, useId, type ReactNode } from 'react'
import { usePanel } from './use-panel.ts'

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

const PLACE = { gap: 6, align: 'start' } as const

/** A panel beside a button. Escape closes it and gives the focus back; whatever else gets the focus closes it too. */
export function Popover({ button, name, title, buttonClass, label, children }: Props) {
  const { isOpen, setOpen, opener, panel, close, onEscape } = usePanel(PLACE)
  const id = useId()
  useEffect(() => {
    // What is in it may know a better place.
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
        // The key is for whatever has the focus inside.
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

/** Anyone who opens something may want to close it. */
const Content = ({ render, close }: { render: Props['children']; close: () => void }) =>
  render(close)
