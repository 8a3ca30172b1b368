import { useLayoutEffect, useRef } from 'react'
import { Dropdown, Offcanvas } from 'react-bootstrap'
import { Link } from 'react-router'
import type { MenuButtonProps, MenuLinkProps, SideMenuProps } from './menu.tsx'

/** The menus themselves, fetched when somebody is about to open one: see menu.tsx. */
export function OpenMenuButton({
  label,
  isCurrent,
  wantsFocus,
  children,
}: MenuButtonProps & { wantsFocus: boolean }) {
  const toggle = useRef<HTMLButtonElement>(null)
  // It takes the place of the button that was pressed.
  useLayoutEffect(() => {
    if (wantsFocus) toggle.current?.focus()
  }, [wantsFocus])
  return (
    <Dropdown as="li" defaultShow>
      <Dropdown.Toggle
        as="button"
        type="button"
        className="nav-toggle"
        aria-current={isCurrent || undefined}
        ref={toggle}
      >
        {label}
      </Dropdown.Toggle>
      <Dropdown.Menu renderOnMount={false}>{children}</Dropdown.Menu>
    </Dropdown>
  )
}

export const OpenMenuLink = ({ to, children, ...rest }: MenuLinkProps) => (
  <Dropdown.Item as={Link} to={to} {...rest}>
    {children}
  </Dropdown.Item>
)

/** The menu of a phone, from the right. */
export function OpenSideMenu(props: SideMenuProps) {
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
