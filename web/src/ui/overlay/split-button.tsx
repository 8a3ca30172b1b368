import type { ReactNode } from 'react'
import { Menu } from './menu.tsx'

type Props = {
  /** The main button; the menu is under an arrow beside it. */
  children: ReactNode
  label: string
  isDisabled: boolean
  items: { label: string; run: () => void }[]
}

export const SplitButton = ({ children, label, isDisabled, items }: Props) => (
  <div className="save-split">
    {children}
    <Menu
      name={label}
      buttonClass="btn btn-primary btn-sm split-toggle"
      isDisabled={isDisabled}
      align="end"
    >
      {items.map((item) => (
        <button key={item.label} type="button" className="dropdown-item" onClick={item.run}>
          {item.label}
        </button>
      ))}
    </Menu>
  </div>
)
