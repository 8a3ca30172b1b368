import type { ReactNode } from 'react'

export const SectionHead = (props: { title: string; className?: string; children?: ReactNode }) => (
  <div className={props.className ?? 'sect-h'}>
    <h2>{props.title}</h2>
    {props.children && <p>{props.children}</p>}
  </div>
)
