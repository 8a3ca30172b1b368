import type { ReactNode } from 'react'
import { Modal as BootstrapModal } from 'react-bootstrap'

export type ModalSize = 'sm' | 'md' | 'lg'

type Props = {
  isOpen: boolean
  title: string
  size: ModalSize
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}

/** Traps the focus while it is open and gives it back afterwards. */
export function Modal({ isOpen, title, size, onClose, children, footer }: Props) {
  return (
    <BootstrapModal
      show={isOpen}
      onHide={onClose}
      {...(size === 'md' ? {} : { size })}
      centered
      aria-labelledby="modal-title"
    >
      <BootstrapModal.Header closeButton>
        <BootstrapModal.Title id="modal-title" as="h2">
          {title}
        </BootstrapModal.Title>
      </BootstrapModal.Header>
      <BootstrapModal.Body>{children}</BootstrapModal.Body>
      {footer && <BootstrapModal.Footer>{footer}</BootstrapModal.Footer>}
    </BootstrapModal>
  )
}
