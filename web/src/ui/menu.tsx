import type { ReactNode } from 'react'
import { Dropdown, Offcanvas } from 'react-bootstrap'
import { Link } from 'react-router'

/** A menu under a button, for what does not fit the bar. */
export function MenuButton({
  label,
  isCurrent,
  children,
}: {
  label: ReactNode
  isCurrent: boolean
  children: ReactNode
}) {
  return (
    <Dropdown as="li">
      <Dropdown.Toggle
        as="button"
        type="button"
        className="nav-toggle"
        aria-current={isCurrent || undefined}
      >
        {label}
      </Dropdown.Toggle>
      <Dropdown.Menu renderOnMount={false}>{children}</Dropdown.Menu>
    </Dropdown>
  )
}

export function MenuLink({
  to,
  children,
  ...rest
}: {
  to: string
  children: ReactNode
  'aria-label'?: string
}) {
  return (
    <Dropdown.Item as={Link} to={to} {...rest}>
      {children}
    </Dropdown.Item>
  )
}

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <Dropdown.Header>{children}</Dropdown.Header>
)

/** The menu of a phone, from the right. */
export function SideMenu(props: {
  isOpen: boolean
  title: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Offcanvas
      show={props.isOpen}
      onHide={props.onClose}
      placement="end"
      aria-labelledby="side-menu-title"
    >
      <Offcanvas.Header closeButton>
        <Offcanvas.Title id="side-menu-title" as="h2">
          {props.title}
        </Offcanvas.Title>
      </Offcanvas.Header>
      <Offcanvas.Body>{props.children}</Offcanvas.Body>
    </Offcanvas>
  )
}
