import type { ReactNode } from 'react'

/** A page that only says one thing: not found, no access, something broke. */
export function StatusScreen({
  title,
  detail,
  children,
}: {
  title: string
  detail?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="wrap status">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {detail && <p className="lead">{detail}</p>}
        <div className="acts">{children}</div>
      </div>
    </div>
  )
}

/** Words beside a spinner, shown only when it takes longer than a moment. */
export function Busy({ text }: { text: string }) {
  return (
    <p className="busy late" role="status">
      <span className="spin" aria-hidden="true" />
      {text}
    </p>
  )
}
