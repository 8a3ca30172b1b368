import { useEffect, useState, type ReactNode } from 'react'
import { buildStore } from '#store.ts'
import type * as MenuParts from './menu-parts.tsx'

export type MenuButtonProps = { label: ReactNode; isCurrent: boolean; children: ReactNode }
export type MenuLinkProps = { to: string; children: ReactNode; 'aria-label'?: string }
export type SideMenuProps = {
  isOpen: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** Most visitors never see a menu: its parts are fetched when there is one to open. */
const parts = buildStore<typeof MenuParts | null>(null)
async function loadMenus() {
  if (!parts.get()) parts.set(await import('./menu-parts.tsx'))
}
const prepare = () => void loadMenus().catch(() => {})

/** A menu under a button, for what does not fit the bar. */
export function MenuButton(props: MenuButtonProps) {
  const loaded = parts.use()
  const [pressed, setPressed] = useState<'no' | 'pointer' | 'focus'>('no')
  if (loaded && pressed !== 'no')
    return <loaded.OpenMenuButton {...props} wantsFocus={pressed === 'focus'} />
  return (
    <li className="dropdown">
      <button
        type="button"
        className="nav-toggle dropdown-toggle"
        aria-current={props.isCurrent || undefined}
        aria-expanded={false}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={({ currentTarget }) => {
          setPressed(document.activeElement === currentTarget ? 'focus' : 'pointer')
          prepare()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          event.currentTarget.click()
        }}
      >
        {props.label}
      </button>
    </li>
  )
}

export function MenuLink(props: MenuLinkProps) {
  const loaded = parts.use()
  return loaded && <loaded.OpenMenuLink {...props} />
}

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <div className="dropdown-header" role="heading" aria-level={3}>
    {children}
  </div>
)

/** The menu of a phone, from the right. */
export function SideMenu(props: SideMenuProps) {
  const loaded = parts.use()
  useEffect(() => {
    if (props.isOpen) prepare()
  }, [props.isOpen])
  return loaded && <loaded.OpenSideMenu {...props} />
}
