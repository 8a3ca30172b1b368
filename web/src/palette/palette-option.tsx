import type { HTMLAttributes } from 'react'
import { ModelIcon } from '#ui/model-icon.tsx'
import { MarkedText } from './marked-text.tsx'
import { PaletteIcon } from './palette-icon.tsx'
import type { PaletteItem } from './palette-item.ts'

type Props = {
  item: PaletteItem
  typed: string
  isActive: boolean
  /** Of the combobox. */
  props: HTMLAttributes<HTMLDivElement>
}

export const PaletteOption = ({ item, typed, isActive, props }: Props) => (
  <div {...props} aria-selected={isActive} className={isActive ? 'on' : undefined}>
    {typeof item.icon === 'string' ? (
      <PaletteIcon name={item.icon} />
    ) : (
      <ModelIcon name={item.icon.model} />
    )}
    <span className="palette-label">
      <MarkedText text={item.label} typed={typed} />
    </span>
    {item.detail && (
      <span className="palette-detail">
        <MarkedText text={item.detail} typed={typed} />
      </span>
    )}
    {item.end && <span className="palette-end">{item.end}</span>}
  </div>
)
