import { Modal } from 'react-bootstrap'
import type { ModalProps } from './modal.tsx'

/** The dialog itself, fetched with the first one: see modal.tsx. */
export function OpenModal({ isOpen, title, size, onClose, children, footer }: ModalProps) {
  return (
    <Modal
      show={isOpen}
      onHide={onClose}
      {...(size === 'md' ? {} : { size })}
      centered
      aria-labelledby="modal-title"
    >
      <Modal.Header closeButton>
        <Modal.Title id="modal-title" as="h2">
          {title}
        </Modal.Title>
      </Modal.Header>
      <Modal.Body>{children}</Modal.Body>
      {footer && <Modal.Footer>{footer}</Modal.Footer>}
    </Modal>
  )
}
