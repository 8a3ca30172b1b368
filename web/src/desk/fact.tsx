import type { ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'

export type Tone = keyof typeof ICONS
const ICONS = {
  success: 'check-circle-fill',
  warning: 'exclamation-triangle-fill',
  danger: 'x-octagon-fill',
}

type Props = { label: string; tone: Tone; children: ReactNode }

/** One line of System: what it is about, whether it is well, and what to do. */
export const Fact = ({ label, tone, children }: Props) => (
  <div className={`fact ${tone}`}>
    <dt>
      <Icon name={ICONS[tone]} /> {label}
    </dt>
    <dd>{children}</dd>
  </div>
)
