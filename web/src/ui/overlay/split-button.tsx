import type { ReactNode } from 'react'
import { Dropdown } from 'react-bootstrap'

type Props = {
  /** The button itself, and what else it can do, under an arrow beside it. */
  children: ReactNode
  label: string
  isDisabled: boolean
  items: { label: string; run: () => void }[]
}

export const SplitButton = ({ children, label, isDisabled, items }: Props) => (
  <Dropdown className="save-split" align="end">
    {children}
    <Dropdown.Toggle
      as="button"
      type="button"
      className="btn btn-primary btn-sm split-toggle"
      aria-label={label}
      disabled={isDisabled}
    />
    <Dropdown.Menu renderOnMount={false}>
      {items.map((item) => (
        <Dropdown.Item key={item.label} as="button" type="button" onClick={item.run}>
          {item.label}
        </Dropdown.Item>
      ))}
    </Dropdown.Menu>
  </Dropdown>
)
