import type { ReactNode } from 'react'
import { Offcanvas } from 'react-bootstrap'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** A panel from the right, beside the page it belongs to. Traps the focus and gives it back. */
export const Drawer = ({ title, onClose, children }: Props) => (
  <Offcanvas
    show
    onHide={onClose}
    placement="end"
    className="drawer"
    aria-labelledby="drawer-title"
  >
    <Offcanvas.Header closeButton>
      <Offcanvas.Title id="drawer-title" as="h2">
        {title}
      </Offcanvas.Title>
    </Offcanvas.Header>
    <Offcanvas.Body>{children}</Offcanvas.Body>
  </Offcanvas>
)
