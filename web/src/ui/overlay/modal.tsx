import type { ReactNode } from 'react'
import { CloseButton, Dialog, type DialogProps } from './dialog.tsx'

export type ModalSize = 'sm' | 'md' | 'lg'

type Props = DialogProps & { size: ModalSize; footer?: ReactNode }

const SIZES = { sm: ' modal-sm', md: '', lg: ' modal-lg' }

export const Modal = ({ isOpen, title, size, onClose, children, footer }: Props) => (
  <Dialog className="modal" titleId="modal-title" isOpen={isOpen} onClose={onClose}>
    <div className={`modal-dialog${SIZES[size]}`}>
      <div className="modal-header">
        <h2 id="modal-title">{title}</h2>
        <CloseButton onClose={onClose} />
      </div>
      <div className="modal-body">{children}</div>
      {footer && <div className="modal-footer">{footer}</div>}
    </div>
  </Dialog>
)
