import type { ReactNode } from 'react'

type Props = {
  className: string
  isBusy: boolean
  /** What it says in the meantime; otherwise it keeps its words beside the spinner. */
  busyLabel?: string
  isDisabled?: boolean
  label?: string
  onClick: () => void
  children: ReactNode
}

/** A button that writes: it shows that it is under way, and can't be pressed in the meantime. */
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
