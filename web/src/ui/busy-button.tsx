import type { ReactNode } from 'react'

type Props = {
  className: string
  isBusy: boolean
  /** Label while busy; by default unchanged beside the spinner. */
  busyLabel?: string
  isDisabled?: boolean
  label?: string
  onClick: () => void
  children: ReactNode
}

export const BusyButton = ({ className, isBusy, isDisabled = false, ...props }: Props) => (
  <button
    type="button"
    className={className}
    disabled={isBusy || isDisabled}
    aria-busy={isBusy || undefined}
    aria-label={props.label}
    onClick={props.onClick}
  >
    {isBusy ? (
      <>
        <span className="spin" aria-hidden="true" /> {props.busyLabel ?? props.children}
      </>
    ) : (
      props.children
    )}
  </button>
)
