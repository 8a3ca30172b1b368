import { CloseButton, Dialog, type DialogProps } from './dialog.tsx'

type Props = DialogProps & { isWide?: boolean }

export const Drawer = ({ isOpen, title, onClose, isWide, children }: Props) => (
  <Dialog
    className={isWide ? 'drawer wide' : 'drawer'}
    titleId="drawer-title"
    isOpen={isOpen}
    onClose={onClose}
  >
    <div className="drawer-panel">
      <div className="drawer-header">
        <h2 id="drawer-title">{title}</h2>
        <CloseButton onClose={onClose} />
      </div>
      <div className="drawer-body">{children}</div>
    </div>
  </Dialog>
)
