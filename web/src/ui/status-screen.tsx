import type { ReactNode } from 'react'

type Props = {
  title: string
  /** Visually hides the title: the page has no other text. */
  isTitleHidden?: boolean
  detail?: ReactNode
  illustration: ReactNode
  children?: ReactNode
  /** Technical details. */
  note?: ReactNode
}

export function StatusScreen({
  title,
  isTitleHidden,
  detail,
  illustration,
  children,
  note,
}: Props) {
  return (
    <div className="wrap">
      <div className="status">
        <div>
          <h1 tabIndex={-1} className={isTitleHidden ? 'visually-hidden' : undefined}>
            {title}
          </h1>
          {detail && <p className="lead">{detail}</p>}
          <div className="acts">{children}</div>
          {note && <p className="tech">{note}</p>}
        </div>
        <div className="art">{illustration}</div>
      </div>
    </div>
  )
}

export function Busy({ text }: { text: string }) {
  return (
    <p className="busy late" role="status">
      <span className="spin" aria-hidden="true" />
      {text}
    </p>
  )
}
