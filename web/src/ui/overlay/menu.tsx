import { useState, type ReactNode } from 'react'
import { siteMessages } from '#messages/site.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'

export type MenuButtonProps = { label: ReactNode; isCurrent: boolean; children: ReactNode }
export type MenuLinkProps = { to: string; children: ReactNode; 'aria-label'?: string }
export type SideMenuProps = {
  isOpen: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** Most visitors never see a menu: its parts are fetched when there is one to open. */
const parts = buildPart(siteMessages.parts.menu, () => import('./menu-parts.tsx'))
const prepare = () => void parts.prepare()

/** For whoever opens one: what could not be fetched the last time is tried again. */
export const loadMenu = () => void parts.load()

/** A menu under a button, for what does not fit the bar. */
export function MenuButton(props: MenuButtonProps) {
  const [pressed, setPressed] = useState<'no' | 'pointer' | 'focus'>('no')
  const loaded = usePart(parts, pressed !== 'no')
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
          loadMenu()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          event.currentTarget.click()
        }}
      >
        {props.label}
      </button>
      {pressed !== 'no' && <PartFailed part={parts} onClose={() => setPressed('no')} />}
    </li>
  )
}

export function MenuLink(props: MenuLinkProps) {
  const { code } = parts.use()
  return code && <code.OpenMenuLink {...props} />
}

/** The menu of a phone, from the right. */
export function SideMenu(props: SideMenuProps) {
  const loaded = usePart(parts, props.isOpen)
  if (loaded) return <loaded.OpenSideMenu {...props} />
  return props.isOpen && <PartFailed part={parts} onClose={props.onClose} />
}
