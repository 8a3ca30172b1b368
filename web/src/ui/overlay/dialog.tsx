import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { buildStore } from '#base/store.ts'
import { siteMessages } from '#messages/site.ts'

export type DialogProps = {
  isOpen: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** Longer than the exit transition, and than the content is kept. */
const UNMOUNT_DELAY_MS = 500

const open = buildStore<HTMLDialogElement[]>([])

/** The topmost modal: everything outside it is inert, so toasts move into it. */
export const useTopDialog = () => open.use().at(-1) ?? null

/** A native modal `<dialog>`: focus trap, inertness and focus return come from the browser. */
export function Dialog(props: Omit<DialogProps, 'title'> & { className: string; titleId: string }) {
  const { isOpen, className, titleId, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)
  const isThere = useFading(isOpen)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!isOpen || !element) return
    if (open.get().length === 0) measureScrollbar()
    element.showModal()
    element.focus()
    open.set([...open.get(), element])
    return () => {
      open.set(open.get().filter((one) => one !== element))
      element.close()
    }
  }, [isOpen])
  if (!isThere) return null
  return createPortal(
    // Escape and the backdrop duplicate the close button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      className={className}
      // Implicit on the element; explicit for selectors.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="dialog"
      aria-modal="true"
      aria-labelledby={titleId}
      tabIndex={-1}
      ref={dialog}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        // Escape must not close a dialog or menu below.
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        // The phone's back gesture; a file input inside fires the same event.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={({ target }) => (pressed.current = target)}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && pressed.current === target) onClose()
      }}
    >
      {children}
    </dialog>,
    document.body,
  )
}

export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <button type="button" className="btn-close" aria-label={siteMessages.close} onClick={onClose} />
)

function measureScrollbar() {
  const { style, clientWidth } = document.documentElement
  style.setProperty('--scrollbar', `${window.innerWidth - clientWidth}px`)
}

/** Stays true after `isOpen` for the exit transition. */
function useFading(isOpen: boolean) {
  const [isThere, setThere] = useState(isOpen)
  if (isOpen && !isThere) setThere(true)
  useEffect(() => {
    if (isOpen) return
    const timer = setTimeout(() => setThere(false), UNMOUNT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isOpen])
  return isThere
}
